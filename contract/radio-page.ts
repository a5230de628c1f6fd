import type { Station } from './radio.ts'
import type { Settings } from './site.ts'

/** Returns the document title of a radio host, which is also the name of its app. */
export const radioTitle = ({ NAME }: Pick<Settings, 'NAME'>): string => `${NAME} Radio`

// The addresses that the shortcuts of the app open.

/** The address that starts playback. */
export const PLAY_PATH = '/?play'

/** Returns the address that selects a station. */
export const stationPath = (station: Station): string => `/?station=${station}`

/** Returns the station that an address selects, if any, and whether it starts playback. */
export function readRadioQuery(query: string): { station: Station | undefined; startsPlayback: boolean } {
  const parameters = new URLSearchParams(query)
  const station = parameters.get('station')
  return { station: station === 'main' || station === 'newcomers' ? station : undefined, startsPlayback: parameters.has('play') }
}
