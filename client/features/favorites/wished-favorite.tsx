import { useEffect } from 'react'
import { useIdentity } from '../../bindings/identity.ts'
import { useWish } from '../../bindings/return-to.ts'
import { useTakeWish } from './take-wish.ts'

/** For the pages around logging in: takes the song whose heart led to them, as soon as somebody logs in there. */
export function WishedFavorite() {
  const identity = useIdentity()
  const wish = useWish()
  const take = useTakeWish()
  useEffect(() => {
    // Who comes back to such a page later has what they wished for, or has taken it out again.
    if (!wish || identity.getSnapshot()) return
    const stop = identity.subscribe(() => {
      if (!identity.getSnapshot()) return
      stop()
      void take(wish)
    })
    return stop
  }, [identity, wish, take])
  return null
}
