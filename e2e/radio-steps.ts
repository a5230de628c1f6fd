import { expect, type Page, type Route } from '@playwright/test'
import type { RadioProgramme } from '../contract/radio.ts'
import type { brands } from './fixtures.ts'
import type { Site } from './server.ts'
import { pageHeading } from './steps.ts'

/** The origin of a brand's radio host. */
export const createRadioOrigin = (site: Site, { subdomain }: Pick<(typeof brands)[number], 'subdomain'>) =>
  site.origin(subdomain === undefined ? 'fm' : `fm.${subdomain}`)

export const locateRadioButton = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })
export const locateStationOption = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Stations' }).getByRole('radio', { name })

/** Requests the song on air from the API of the page's host. */
export const fetchSongOnAir = (page: Page): Promise<RadioProgramme> =>
  page.evaluate(async () => {
    const envelope: { data: RadioProgramme } = await (await fetch('/api/radio/get')).json()
    return envelope.data
  })

/** Expects that the heading shows the title of the song on air. */
export const expectSongOnAirShown = (page: Page) =>
  expect
    .poll(async () => (await fetchSongOnAir(page)).title === (await pageHeading(page).textContent()), 'the heading is the song')
    .toBe(true)

export const RADIO_API_PATTERN = '**/api/radio/**'
export const answerWithoutSongs = (route: Route) =>
  route.fulfill({ status: 404, json: { code: 404, message: 'The radio has no songs yet.', data: null } })
