import { setFlagsFromString } from "node:v8";

// A process runs many files, and what their modules hold stays: V8 collected all of it again and again for memory that
// embedded databases and buffers took outside of the heap. Counted with the heap, it is collected as the whole grows.
setFlagsFromString("--external-memory-accounted-in-global-limit");
