import type { InitialData } from '../../../contract/initial-data.ts'
import { createStationPath, readRadioQuery } from '../../../contract/radio-page.ts'
import type { Site } from '../../../contract/site.ts'
import type { RadioHostServices } from '../../hooks/services.tsx'
import type { AppInstaller } from '../../platform/install.ts'
import { handleAppLaunches } from '../../platform/launches.ts'
import { createInitialRadioState } from '../../player/radio/idle-radio.ts'
import { createRadioPlayer } from '../../player/radio/radio-player.ts'
import type { RadioPlayer, RadioState } from '../../player/radio/radio-player-interface.ts'
import { type RadioSong, readLastSong, storeLastSong } from './last-song.ts'

export interface RadioServices extends RadioHostServices {
  /** The radio's state at the time when the server rendered the page. */
  initialState: RadioState
  lastSong: RadioSong | undefined
}

/** Constructs the services of a radio website. They include no local database, because the radio plays the schedule of the server. */
export function createRadioServices(site: Site, appInstaller: AppInstaller, { radio: initialRadio }: InitialData): RadioServices {
  const songOnAir = initialRadio?.onAir ?? undefined
  const radio = createRadioPlayer({
    apiBaseUrl: site.api_base_url,
    station: 'main',
    // The HTML contains the song that was on air when the HTML was rendered, but not the time of rendering. The radio assumes that the HTML
    // was rendered when the song started.
    initialAnswer: songOnAir && { ...songOnAir, server_time: songOnAir.start_time },
  })
  const lastSong = readLastSong()
  radio.subscribe(() => {
    const state = radio.getSnapshot()
    if (state.status === 'playing' && state.onAir) storeLastSong(state.onAir)
  })
  return { kind: 'radio', site, install: appInstaller, radio, initialState: createInitialRadioState(initialRadio), lastSong }
}

/**
 * Selects the station of the page's address, and writes the chosen station into the address, so that it can be shared.
 * @returns a function that stops writing
 */
export function syncStationWithAddress(radio: RadioPlayer): () => void {
  const openPage = (pageUrl: string) => {
    const { station, startsPlayback } = readRadioQuery(new URL(pageUrl, location.origin).search)
    if (station) radio.setStation(station)
    if (startsPlayback) radio.play()
  }
  openPage(location.search)
  handleAppLaunches(window, { history: { push: openPage } })
  let { station } = radio.getSnapshot()
  return radio.subscribe(() => {
    const chosenStation = radio.getSnapshot().station
    if (chosenStation === station) return
    station = chosenStation
    history.replaceState(null, '', station === 'main' ? '/' : createStationPath(station))
  })
}
