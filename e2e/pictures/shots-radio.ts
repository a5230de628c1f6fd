import type { BrowserContext, Page } from '@playwright/test'
import { answerWithoutSongs, RADIO_API_PATTERN, radioButton, stationOption } from '../radio-steps.ts'
import { serveAppShell } from '../steps.ts'
import type { Screenshot } from './shot.ts'

const radio = { host: 'fm', path: '/' } as const

/** Opens the page from the app shell. `respond` answers its requests to the API of the radio. */
const withRadio = (respond: (context: BrowserContext) => Promise<unknown>) => async (context: BrowserContext) => {
  await serveAppShell(context)
  await respond(context)
}
const makeUnreachable = (context: BrowserContext) => context.route(RADIO_API_PATTERN, (route) => route.abort('failed'))

async function play(page: Page) {
  await radioButton(page, 'Play').click()
  await page.locator('iframe').waitFor()
  await radioButton(page, 'Pause').waitFor()
  // Waits, because the video platform fades a frame in.
  await page.waitForTimeout(600)
}

/** The screenshots of the radio host's page. */
export const radioScreenshots: readonly Screenshot[] = [
  { ...radio, name: 'radio' },
  { ...radio, name: 'radio-full', fullPage: true },
  { ...radio, name: 'radio-low', widths: [844], height: 390 },
  { ...radio, name: 'radio-playing', showState: play },
  { ...radio, name: 'radio-playing-low', widths: [844], height: 390, showState: play },
  { ...radio, name: 'radio-newcomers', showState: (page) => stationOption(page, /^Newcomers/).click() },
  {
    ...radio,
    name: 'radio-alone',
    showState: async (page, context) => {
      await play(page)
      await makeUnreachable(context)
      await page.getByText('Our server is out of reach.').waitFor()
    },
  },
  {
    ...radio,
    name: 'radio-sleep',
    showState: (page) => radioButton(page, 'Sleep timer').click(),
  },
  { ...radio, name: 'radio-loading', prepare: withRadio((context) => context.route(RADIO_API_PATTERN, () => {})) },
  {
    ...radio,
    name: 'radio-empty',
    prepare: withRadio((context) => context.route(RADIO_API_PATTERN, answerWithoutSongs)),
    showState: (page) => page.getByText('The radio has no songs yet.').waitFor(),
  },
  {
    ...radio,
    name: 'radio-offline',
    prepare: withRadio(async (context) => {
      const song = { youtube_id: 'aaaaaaaaaaa', title: 'Velvet Circuit', author_name: 'Low Tide Club' }
      await context.addInitScript((text) => localStorage.setItem('varispeed.radio.heard', text), JSON.stringify(song))
      await makeUnreachable(context)
    }),
    showState: (page) => page.getByText('The radio comes back by itself.').waitFor(),
  },
]
