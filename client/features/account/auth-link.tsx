import type { ReactNode } from 'react'
import { useAuthNavigate } from '../../hooks/login-navigation.ts'
import typeStyles from '../../ui/type.module.css'

/** A link between the login pages that preserves the return path and the pending favorite. */
export function AuthLink({ to, children }: { to: string; children: ReactNode }) {
  const navigate = useAuthNavigate()
  return (
    <a
      className={typeStyles.link}
      href={to}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        navigate(to)
      }}
    >
      {children}
    </a>
  )
}
