import { type ReactNode, useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './focus-container.module.css'
import { useFocusAfterRemoval } from './use-focus-after-removal.ts'

/** A part of a dialog whose content changes from step to step: if the focused element is removed, the focus moves as `useFocusAfterRemoval` says. */
export function FocusContainer({ children, className }: { children: ReactNode; className?: string | undefined }) {
  const [container, setContainer] = useState<HTMLDivElement | null>(null)
  useFocusAfterRemoval(container)
  return (
    <div ref={setContainer} className={classNames(styles.container, className)} tabIndex={-1}>
      {children}
    </div>
  )
}
