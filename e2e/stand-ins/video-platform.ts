import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, Frame, Page, Route } from '@playwright/test'
import { transformSync } from 'esbuild'

const read = (name: string) => readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8')
const HOSTS = new Set(['www.youtube.com', 'www.youtube-nocookie.com'])

interface Settings {
  /** Seconds of video per second of the wall clock. */
  speed: number
  /** Seconds, for a video that has no entry in `durations`. */
  duration: number
  durations: Record<string, number>
  /** The platform's error code by video id. */
  failing: Record<string, number>
  autoplayBlocked: boolean
  /** The frame was asked for without a referrer: the platform refuses every video with code 153. */
  refused: boolean
  bufferMs: number
  readyMs: number
}

export interface Playing {
  videoId: string
  time: number
  /** -1 unstarted, 0 ended, 1 playing, 2 paused, 3 buffering, 5 cued. */
  state: number
  volume: number
  muted: boolean
  commands: unknown[][]
}

declare const settings: Settings
declare const player: Playing

/**
 * The video platform at the network's edge, for tests that must not depend on it: its player script and its frames are
 * answered here, and a test decides what they do. Everything between is the product's own code in a real browser.
 */
export interface VideoPlatform {
  /** Every address that was asked of the platform, in order. */
  readonly requests: string[]
  /** How often a player's frame was loaded: once for a page, if the frame is never moved or made anew. */
  readonly frameLoads: number
  /** From now on, in frames that are open as well. */
  set(change: Partial<Settings>): Promise<void>
  fail(videoId: string, code: number): Promise<void>
  unreachable(value: boolean): void
  /** The player's frame; it is an error if there is not exactly one. */
  frame(page: Page): Frame
  /** What the frame plays; undefined while there is no frame or it is still loading. */
  playing(page: Page): Promise<Playing | undefined>
  /** Goes to 0.3 s before the end and lets it run out. */
  finish(page: Page): Promise<void>
}

export async function installVideoPlatform(context: BrowserContext): Promise<VideoPlatform> {
  const current: Settings = {
    speed: 1,
    duration: 200,
    durations: {},
    failing: {},
    autoplayBlocked: false,
    refused: false,
    bufferMs: 30,
    readyMs: 30,
  }
  const requests: string[] = []
  let frameLoads = 0
  let unreachable = false
  const script = transformSync(read('./iframe-api.ts'), { loader: 'ts', format: 'iife', target: 'es2022' }).code
  const embed = read('./embed.html')

  const answer = async (route: Route) => {
    const request = route.request()
    const url = new URL(request.url())
    requests.push(request.url())
    if (unreachable) return route.abort('internetdisconnected')
    if (url.pathname === '/iframe_api') return route.fulfill({ contentType: 'text/javascript', body: script })
    if (url.pathname.startsWith('/embed/')) {
      frameLoads++
      const referer = (await request.allHeaders()).referer
      const now: Settings = { ...current, refused: current.refused || referer === undefined }
      return route.fulfill({
        contentType: 'text/html',
        body: embed.replace('>null<', () => `>${JSON.stringify(now).replaceAll('<', '\\u003c')}<`),
      })
    }
    return route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not part of the stand-in' })
  }
  await context.route((url) => HOSTS.has(url.hostname), answer)

  const frames = (page: Page) => page.frames().filter((frame) => URL.canParse(frame.url()) && HOSTS.has(new URL(frame.url()).hostname))
  const set = async (change: Partial<Settings>) => {
    Object.assign(current, change)
    for (const page of context.pages()) {
      for (const frame of frames(page)) await frame.evaluate((next) => Object.assign(settings, next), change)
    }
  }
  const frame = (page: Page) => {
    const found = frames(page)
    const [only] = found
    if (only === undefined || found.length > 1) throw new Error(`${found.length} frames of the video platform, not one`)
    return only
  }

  return {
    requests,
    get frameLoads() {
      return frameLoads
    },
    set,
    fail: (videoId, code) => set({ failing: { ...current.failing, [videoId]: code } }),
    unreachable: (value) => {
      unreachable = value
    },
    frame,
    async playing(page) {
      const [only] = frames(page)
      if (only === undefined) return undefined
      return only.evaluate(() => ({ ...player })).catch(() => undefined)
    },
    async finish(page) {
      await frame(page).evaluate(() => {
        const seconds = settings.durations[player.videoId] ?? settings.duration
        player.time = Math.max(0, seconds - 0.3)
      })
    },
  }
}
