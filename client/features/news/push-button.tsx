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
  const { data: key } = useRemoteData(isSupported ? readKey : undefined)
  const [isOn, setIsOn] = useState<boolean>()
  const [isBusy, setBusy] = useState(false)
  const toast = useToast()
  useEffect(() => {
    readIsOn().then(setIsOn, () => setIsOn(false))
  }, [readIsOn])
  const toggle = useCallback(async () => {
    setBusy(true)
    try {
      await (isOn ? turnOff() : turnOn(key ?? ''))
      setIsOn(!isOn)
    } catch {
      toast({
        kind: 'bad',
        text: isOn ? "Notifications couldn't be turned off." : "Notifications couldn't be turned on. Your browser may block them.",
      })
    }
    setBusy(false)
  }, [isOn, key, turnOn, turnOff, toast])
  if (!isSupported || !key || isOn === undefined) return null
  return (
    <Button pressed={isOn} busy={isBusy} onClick={() => void toggle()}>
      Notify me
    </Button>
  )
}
