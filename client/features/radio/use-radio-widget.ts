import { useEffect, useState } from 'react'
import { useSite } from '../../hooks/services.tsx'
import { useBusyWhile } from '../../hooks/update.ts'
import { createRadioPlayer } from '../../player/radio/radio-player.ts'
import type { RadioPlayer } from '../../player/radio/radio-player-interface.ts'

/**
 * Creates a radio for as long as the component is rendered; undefined on the first render. The radio and the other players of the origin pause each
 * other, those of this page too (`tab-sync.ts`).
 */
export function usePageRadio(): RadioPlayer | undefined {
  const { api_base_url: apiBaseUrl } = useSite()
  const [radio, setRadio] = useState<RadioPlayer>()
  useEffect(() => {
    const created = createRadioPlayer({ apiBaseUrl, station: 'main' })
    setRadio(created)
    return created.close
  }, [apiBaseUrl])
  return radio
}

/** Defers updates of the site while the radio plays. */
export const useBusyWhileRadioPlays = (isPlaying: boolean): void => useBusyWhile(isPlaying, 'song')
