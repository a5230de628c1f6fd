import type { InitialData } from '../../contract/initial-data.ts'
import type { Site } from '../../contract/site.ts'
import { type RadioSong, readLastSong, storeLastSong } from '../features/radio/last-song.ts'
import type { RadioHostServices } from '../hooks/services.tsx'
import type { Install } from '../platform/install.ts'
import { initialRadioState } from '../player/radio/idle-radio.ts'
import { createRadioPlayer } from '../player/radio/radio-player.ts'
import type { RadioState } from '../player/radio/radio-player-interface.ts'

/** The services of a radio host's page. */
export interface RadioServices extends RadioHostServices {
  /** The state that the server rendered. */
  initialState: RadioState
  lastSong: RadioSong | undefined
}

/** Constructs the services of a radio host. They need no local database: the radio plays what the server says. */
export function createRadioServices(site: Site, install: Install, { radio: initialRadio }: InitialData): RadioServices {
  const onAir = initialRadio?.onAir ?? undefined
  const radio = createRadioPlayer({
    apiBaseUrl: site.api_base_url,
    station: 'main',
    // The HTML says what was on air when it was rendered: the start of the song.
    initialAnswer: onAir && { ...onAir, server_time: onAir.start_time },
  })
  const lastSong = readLastSong()
  radio.subscribe(() => {
    const state = radio.getSnapshot()
    if (state.status === 'playing' && state.onAir) storeLastSong(state.onAir)
  })
  return { kind: 'radio', site, install, radio, initialState: initialRadioState(initialRadio), lastSong }
}
