import type { Page } from "playwright-core";

/** Number of canvases on the page with something drawn on them, i.e. with more than one colour. */
export const drawnCanvases = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      [...document.querySelectorAll("canvas")].filter((canvas) => {
        if (canvas.width === 0 || canvas.height === 0) return false;
        // Reads a copy made for reading: the browser warns if a chart's own canvas is read repeatedly.
        const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true });
        if (copy === null) return false;
        copy.drawImage(canvas, 0, 0);
        const pixels = new Uint32Array(copy.getImageData(0, 0, canvas.width, canvas.height).data.buffer);
        return pixels.some((pixel) => pixel !== pixels[0]);
      }).length,
  );
