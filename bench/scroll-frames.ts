import type { Page } from '@playwright/test'

/** Scrolls the page down and up again for 240 frames, 60 pixels each. Returns the milliseconds of each frame. */
export async function measureScrollFramesMs(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const frameTimesMs: number[] = []
    let lastFrameMs = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
    for (let frameIndex = 0; frameIndex < 240; frameIndex++) {
      window.scrollBy({ top: frameIndex % 120 < 60 ? 60 : -60, behavior: 'instant' })
      const frameMs = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      frameTimesMs.push(frameMs - lastFrameMs)
      lastFrameMs = frameMs
    }
    return frameTimesMs
  })
}
