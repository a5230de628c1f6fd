import type { ReactNode } from 'react'
import { useGoOn } from '../../bindings/return-to.ts'
import typeStyles from '../../ui/type.module.css'

/** A link between the pages around logging in: where one was going before is not forgotten on the way. */
export function AuthLink({ to, children }: { to: string; children: ReactNode }) {
  const goOn = useGoOn()
  return (
    <a
      className={typeStyles.link}
      href={to}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        goOn(to)
      }}
    >
      {children}
    </a>
  )
}
