import { type ReactNode, useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './folded.module.css'
import typeStyles from './type.module.css'

interface FoldedProps {
  /** Content that is always higher than the part that is shown. */
  children: ReactNode
  /** What the content is, added to the accessible name of the button. */
  label: string
  /** Called when the content is folded again, which may leave the viewport far below it. */
  onFold?: () => void
}

/** Shows the beginning of long content and a button that opens it. It is also open while a link in it has the focus. */
export function Folded({ children, label, onFold }: FoldedProps) {
  const [isOpen, setIsOpen] = useState(false)
  const toggle = () => {
    setIsOpen(!isOpen)
    if (isOpen) onFold?.()
  }
  return (
    <div>
      <div className={classNames(!isOpen && styles.folded)}>{children}</div>
      <button type="button" className={typeStyles.link} aria-expanded={isOpen} onClick={toggle}>
        {isOpen ? 'Show less' : 'Read more'}
        <span className={typeStyles.hidden}>: {label}</span>
      </button>
    </div>
  )
}
