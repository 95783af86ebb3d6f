{{- define "almanac.fullname" -}}
{{- if contains "almanac" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-almanac" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "almanac.selector" -}}
app.kubernetes.io/name: almanac
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "almanac.labels" -}}
{{ include "almanac.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "almanac.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* Settings that are no secrets, by name. */}}
{{- define "almanac.settings" -}}
ALMANAC_HOST: "0.0.0.0"
ALMANAC_PORT: "8080"
ALMANAC_METRICS_PORT: "9464"
ALMANAC_DATA_DIR: /data/almanac
ALMANAC_SECRET_FILE: /run/secrets/almanac/cursor
ALMANAC_PUBLIC_URL: {{ .Values.publicUrl | quote }}
{{- with .Values.trustedProxies }}
TRUSTED_PROXIES: {{ join "," . | quote }}
{{- end }}
{{- with .Values.clickhouseCluster }}
CLICKHOUSE_CLUSTER: {{ . | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
{{- /* A number of a values file is a float: toString would make 1e+06 of a million. */}}
{{ $name }}: {{ ternary $value (toJson $value) (kindIs "string" $value) | quote }}
{{- end }}
{{- end }}

{{- define "almanac.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "almanac.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "almanac.mounts" -}}
- name: data
  mountPath: /data
- name: tmp
  mountPath: /tmp
- name: cursor
  mountPath: /run/secrets/almanac
  readOnly: true
{{- end }}

{{- define "almanac.volumes" -}}
- name: data
  emptyDir: {}
- name: tmp
  emptyDir: {}
- name: cursor
  secret:
    secretName: {{ .Values.cursorSecret.name }}
    defaultMode: 0440
    items:
      - key: {{ .Values.cursorSecret.key }}
        path: cursor
{{- end }}

{{/* One role's Deployment: (dict "root" $ "role" "api" "values" .Values.api). */}}
{{- define "almanac.deployment" -}}
{{- $root := .root }}
{{- $isScaled := and (eq .role "api") .values.autoscaling.enabled }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "almanac.fullname" $root }}-{{ .role }}
  labels:
    {{- include "almanac.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not $isScaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "almanac.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .role }}
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  template:
    metadata:
      labels:
        {{- include "almanac.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      annotations:
        checksum/settings: {{ include "almanac.settings" $root | sha256sum }}
    spec:
      serviceAccountName: {{ include "almanac.fullname" $root }}
      automountServiceAccountToken: false
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      securityContext:
        {{- include "almanac.podSecurity" $root | nindent 8 }}
      # The balancer's five seconds to look elsewhere, then 25 at most to finish and save cursors.
      terminationGracePeriodSeconds: 40
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "almanac.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ .role }}
      containers:
        - name: almanac
          image: {{ include "almanac.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [serve]
          envFrom:
            - configMapRef:
                name: {{ include "almanac.fullname" $root }}
            - secretRef:
                name: {{ $root.Values.environmentSecret }}
          env:
            - name: ALMANAC_ROLE
              value: {{ .role }}
          ports:
            - name: http
              containerPort: 8080
            - name: metrics
              containerPort: 9464
          # It listens once the store's schema is right, which may take a while.
          startupProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 5
            timeoutSeconds: 3
            failureThreshold: 120
          # Hangs on nothing but the process itself: an engine that is away is no reason to end it.
          livenessProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /ready, port: http }
            periodSeconds: 5
            timeoutSeconds: 6
            failureThreshold: 2
          lifecycle:
            preStop:
              sleep:
                seconds: 5
          securityContext:
            {{- include "almanac.containerSecurity" $root | nindent 12 }}
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            {{- include "almanac.mounts" $root | nindent 12 }}
      volumes:
        {{- include "almanac.volumes" $root | nindent 8 }}
      {{- with .values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end }}
