import { useEffect } from 'react'
import { useSite } from '../../hooks/services.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Offers the way back at the song that somebody came from the radio to favorite, also when a login has led back to its page. */
export function RadioReturn() {
  const { radio_url } = useSite()
  const toast = useToast()
  useEffect(() => {
    const isEntry = performance.getEntriesByType('navigation')[0]?.name === location.href
    if (!isEntry || document.referrer !== `${radio_url}/`) return
    return toast({
      text: 'You came from the radio.',
      icon: 'radio',
      durationMs: 60_000,
      action: { label: 'Back to the radio', onSelect: () => location.assign(radio_url) },
    })
  }, [radio_url, toast])
  return null
}
