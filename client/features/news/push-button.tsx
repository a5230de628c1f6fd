import { useCallback, useEffect, useState } from 'react'
import { useRemoteData } from '../../hooks/remote-data.ts'
import { Button } from '../../ui/button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { usePushes } from './use-pushes.ts'

/**
 * The button that turns notifications of new songs on and off. Renders nothing if the site or the browser does not support notifications.
 */
export function PushButton() {
  const { isSupported, readKey, readIsOn, turnOn, turnOff } = usePushes()
  const { data: publicKey } = useRemoteData(isSupported ? readKey : undefined)
  const [arePushesOn, setArePushesOn] = useState<boolean>()
  const [isPushBusy, setBusy] = useState(false)
  const toast = useToast()
  useEffect(() => {
    if (publicKey) readIsOn(publicKey).then(setArePushesOn, () => setArePushesOn(false))
  }, [readIsOn, publicKey])
  const togglePushes = useCallback(async () => {
    setBusy(true)
    try {
      await (arePushesOn ? turnOff() : turnOn(publicKey ?? ''))
      setArePushesOn(!arePushesOn)
    } catch {
      toast({
        kind: 'bad',
        text: arePushesOn ? "Notifications couldn't be turned off." : "Notifications couldn't be turned on. Your browser may block them.",
      })
    }
    setBusy(false)
  }, [arePushesOn, publicKey, turnOn, turnOff, toast])
  if (!isSupported || !publicKey || arePushesOn === undefined) return null
  return (
    <Button pressed={arePushesOn} busy={isPushBusy} onClick={() => void togglePushes()}>
      Notify me
    </Button>
  )
}
