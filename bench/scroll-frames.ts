import type { Browser, Page } from '@playwright/test'

/** The trace category of Chromium's `DrawFrame` events. */
const DRAW_FRAME_CATEGORY = 'disabled-by-default-devtools.timeline.frame'

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

/**
 * Scrolls the page down with a mouse wheel for three seconds at `speedPxPerSecond`, as a person does: the compositor scrolls, and does not wait for the
 * main thread. Returns the milliseconds between the frames that were drawn.
 */
export async function measureDrawnFramesMs(browser: Browser, page: Page, speedPxPerSecond: number): Promise<number[]> {
  const browserSession = await browser.newBrowserCDPSession()
  const pageSession = await page.context().newCDPSession(page)
  const drawTimesMs: number[] = []
  browserSession.on('Tracing.dataCollected', ({ value }) => {
    for (const event of value) if ('ts' in event && event.name === 'DrawFrame') drawTimesMs.push(Number(event.ts) / 1000)
  })
  const tracingCompletePromise = new Promise((resolve) => browserSession.once('Tracing.tracingComplete', resolve))
  await browserSession.send('Tracing.start', { traceConfig: { includedCategories: [DRAW_FRAME_CATEGORY] } })
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await pageSession.send('Input.synthesizeScrollGesture', {
    ...{ x: width / 2, y: height / 2, yDistance: -3 * speedPxPerSecond, speed: speedPxPerSecond },
    ...{ gestureSourceType: 'mouse', preventFling: true },
  })
  await browserSession.send('Tracing.end')
  await tracingCompletePromise
  await Promise.all([browserSession.detach(), pageSession.detach()])
  drawTimesMs.sort((earlierMs, laterMs) => earlierMs - laterMs)
  return drawTimesMs.slice(1).map((drawMs, index) => drawMs - (drawTimesMs[index] ?? drawMs))
}
