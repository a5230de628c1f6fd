import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Frame, Page, Route } from '@playwright/test'
import { transformSync } from 'esbuild'

const readAsset = (name: string) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8')
const widgetScript = transformSync(readAsset('./iframe-api.ts'), { loader: 'ts', format: 'iife', target: 'es2022' }).code
const WIDGET_PATH = '/s/player/00000000/www-widgetapi.vflset/www-widgetapi.js'
/**
 * Does as the platform's script does: creates a policy of Trusted Types, continues without one if the page refuses it, and loads the widget
 * script.
 */
const loaderScript = `{
let scriptUrl = 'https://www.youtube.com${WIDGET_PATH}'
try {
  scriptUrl = trustedTypes.createPolicy('youtube-widget-api', { createScriptURL: (url) => url }).createScriptURL(scriptUrl)
} catch {}
const element = document.createElement('script')
element.src = scriptUrl
const firstScript = document.getElementsByTagName('script')[0]
firstScript.parentNode.insertBefore(element, firstScript)
}`
const embedHtml = readAsset('./embed.html')
export const VIDEO_HOSTS: ReadonlySet<string> = new Set(['www.youtube.com', 'www.youtube-nocookie.com'])

export interface VideoPlatformSettings {
  /** The length in seconds of a video that has no entry in `durations`. */
  duration: number
  durations: Record<string, number>
  /** The simulated error code of the platform for each video id. */
  errorCodes: Record<string, number | undefined>
  autoplayBlocked: boolean
  /** Whether every video fails with code 153, as on YouTube if the frame is requested without a referrer. */
  refused: boolean
  bufferMs: number
  readyMs: number
}

/** The state of the simulated video player. */
export interface VideoState {
  videoId: string
  time: number
  /** The state of the player in the platform's numbers: -1 unstarted, 0 ended, 1 playing, 2 paused, 3 buffering, 5 cued. */
  state: number
  volume: number
  muted: boolean
  commands: unknown[][]
}

declare const settings: VideoPlatformSettings
declare const player: VideoState

/** Simulates YouTube. Requests for its player script and its frames are intercepted, and answered with files of this folder. */
export interface VideoPlatform {
  /** The URLs of all requests to YouTube, in order. */
  readonly requests: string[]
  /** How often a frame of the player was loaded. A page loads it once, unless the frame is moved or created again. */
  readonly frameLoadCount: number
  /** Changes settings of the frames that are open and of those that are loaded later. */
  changeSettings(change: Partial<VideoPlatformSettings>): Promise<void>
  /** Makes a video fail with an error code of YouTube. With `undefined`, the video can be played again. */
  failVideo(videoId: string, code: number | undefined): Promise<void>
  /** Makes requests to YouTube fail as they do without a network. */
  setUnreachable(value: boolean): void
  /** Returns the player's frame. Throws unless the page has exactly one. */
  findFrame(page: Page): Frame
  /** Returns the state of the player, or undefined if there is no frame or the frame is still loading. */
  readState(page: Page): Promise<VideoState | undefined>
  /** Returns the ids of the videos that play in a page. */
  readPlayingIds(page: Page): Promise<string[]>
  /** Seeks as a person does inside the frame. */
  seekInFrame(page: Page, seconds: number): Promise<void>
  /** Seeks to 0.3 s before the end of the video, so that it ends soon. */
  finishVideo(page: Page): Promise<void>
}

const DEFAULT_SETTINGS: VideoPlatformSettings = {
  duration: 200,
  durations: {},
  errorCodes: {},
  autoplayBlocked: false,
  refused: false,
  bufferMs: 30,
  readyMs: 30,
}

/** Answers a request to YouTube. @param referrerUrl the request's Referer header; a frame without one fails with code 153 */
export function answerVideoRequest(
  { pathname }: URL,
  referrerUrl: string | undefined,
  settings: VideoPlatformSettings = DEFAULT_SETTINGS,
): { status: number; contentType: string; body: string } {
  if (pathname === '/iframe_api') return { status: 200, contentType: 'text/javascript', body: loaderScript }
  if (pathname === WIDGET_PATH) return { status: 200, contentType: 'text/javascript', body: widgetScript }
  if (!pathname.startsWith('/embed/')) return { status: 404, contentType: 'text/plain', body: 'Not part of the stand-in' }
  const frameSettings: VideoPlatformSettings = { ...settings, refused: settings.refused || referrerUrl === undefined }
  return {
    status: 200,
    contentType: 'text/html',
    body: embedHtml.replace('>null<', () => `>${JSON.stringify(frameSettings).replaceAll('<', '\\u003c')}<`),
  }
}

export async function installVideoPlatform(context: BrowserContext): Promise<VideoPlatform> {
  const currentSettings: VideoPlatformSettings = { ...DEFAULT_SETTINGS, durations: {}, errorCodes: {} }
  const requestUrls: string[] = []
  let frameLoadCount = 0
  let isUnreachable = false

  const handleRequest = async (route: Route) => {
    const request = route.request()
    const url = new URL(request.url())
    requestUrls.push(request.url())
    if (isUnreachable) return route.abort('internetdisconnected')
    if (url.pathname.startsWith('/embed/')) frameLoadCount++
    return route.fulfill(answerVideoRequest(url, (await request.allHeaders()).referer, currentSettings))
  }
  await context.route((url) => VIDEO_HOSTS.has(url.hostname), handleRequest)

  const locatePlayerFrames = (page: Page) =>
    page.frames().filter((frame) => URL.canParse(frame.url()) && VIDEO_HOSTS.has(new URL(frame.url()).hostname))
  const changeSettings = async (settingsChange: Partial<VideoPlatformSettings>) => {
    Object.assign(currentSettings, settingsChange)
    for (const page of context.pages()) {
      for (const frame of locatePlayerFrames(page))
        await frame.evaluate((changedSettings) => Object.assign(settings, changedSettings), settingsChange)
    }
  }
  const findPlayerFrame = (page: Page) => {
    const foundFrames = locatePlayerFrames(page)
    const [firstFrame] = foundFrames
    if (firstFrame === undefined || foundFrames.length > 1) throw new Error(`Expected one YouTube frame, found ${foundFrames.length}`)
    return firstFrame
  }

  return {
    requests: requestUrls,
    get frameLoadCount() {
      return frameLoadCount
    },
    changeSettings,
    failVideo: (videoId, code) => changeSettings({ errorCodes: { ...currentSettings.errorCodes, [videoId]: code } }),
    setUnreachable: (value) => {
      isUnreachable = value
    },
    findFrame: findPlayerFrame,
    async readState(page) {
      const [firstFrame] = locatePlayerFrames(page)
      if (firstFrame === undefined) return undefined
      return firstFrame.evaluate(() => ({ ...player })).catch(() => undefined)
    },
    async readPlayingIds(page) {
      const videoStates = await Promise.all(
        locatePlayerFrames(page).map((frame) => frame.evaluate(() => ({ ...player })).catch(() => undefined)),
      )
      return videoStates.flatMap((state) => (state?.state === 1 ? [state.videoId] : []))
    },
    async seekInFrame(page, positionSeconds) {
      await findPlayerFrame(page).evaluate((target) => {
        player.time = target
      }, positionSeconds)
    },
    async finishVideo(page) {
      await findPlayerFrame(page).evaluate(() => {
        const durationSeconds = settings.durations[player.videoId] ?? settings.duration
        player.time = Math.max(0, durationSeconds - 0.3)
      })
    },
  }
}
