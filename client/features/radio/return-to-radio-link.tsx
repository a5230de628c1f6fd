import { useEffect } from 'react'
import { useSite } from '../../hooks/services.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Shows a link back to the radio if the song's page was opened from the radio, also after a login that returned to the page. */
export function ReturnToRadioLink() {
  const { radio_url } = useSite()
  const toast = useToast()
  useEffect(() => {
    const isEntryPage = performance.getEntriesByType('navigation')[0]?.name === location.href
    if (!isEntryPage || document.referrer !== `${radio_url}/`) return
    return toast({
      text: 'You came from the radio.',
      icon: 'radio',
      durationMs: 60_000,
      action: { label: 'Back to the radio', onSelect: () => location.assign(radio_url) },
    })
  }, [radio_url, toast])
  return null
}
