import type { Station } from './radio.ts'
import type { Settings } from './site.ts'

/** Returns the document title of a radio host, which is also the name of its app. */
export const formatRadioTitle = ({ NAME }: Pick<Settings, 'NAME'>): string => `${NAME} Radio`

// The addresses that the shortcuts of the installed app open.

/** The URL path of the radio page that starts playback. */
export const RADIO_AUTOPLAY_PATH = '/?play'

/** Returns the URL path of the radio page with a station selected. */
export const createStationPath = (station: Station): string => `/?station=${station}`

/** Returns the station that the query of a URL selects, if any, and whether the URL starts playback. */
export function readRadioQuery(queryText: string): { station: Station | undefined; startsPlayback: boolean } {
  const parameters = new URLSearchParams(queryText)
  const station = parameters.get('station')
  return { station: station === 'main' || station === 'newcomers' ? station : undefined, startsPlayback: parameters.has('play') }
}
