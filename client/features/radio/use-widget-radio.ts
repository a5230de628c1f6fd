import { useEffect } from 'react'
import { usePageRadio } from '../../hooks/page-radio.ts'
import { useSite } from '../../hooks/services.tsx'
import { openPageRadio } from '../../player/radio/page-radio.ts'
import { createRadioPlayer } from '../../player/radio/radio-player.ts'
import type { RadioPlayer } from '../../player/radio/radio-player-interface.ts'

/**
 * Returns the radio of the page, which the first widget creates; undefined on the first render. The radio and the other players of the site, on
 * this page and in other tabs, pause each other (`tab-sync.ts`).
 */
export function useWidgetRadio(): RadioPlayer | undefined {
  const { api_base_url: apiBaseUrl } = useSite()
  useEffect(() => void openPageRadio(() => createRadioPlayer({ apiBaseUrl, station: 'main' })), [apiBaseUrl])
  return usePageRadio()
}
