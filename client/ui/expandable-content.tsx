import { type ReactNode, useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './expandable-content.module.css'
import typeStyles from './type.module.css'

interface ExpandableContentProps {
  /** The content, which must be higher than the part that is shown while it is folded. */
  children: ReactNode
  /** The name of the content, which is added to the accessible name of the button. */
  label: string
  /** Called when the content is folded again. The caller can then scroll, because the viewport may be far below the content. */
  onFold?: () => void
}

/** Shows the beginning of long content and a button that opens it. It is also open while a link in it has the focus. */
export function ExpandableContent({ children, label, onFold }: ExpandableContentProps) {
  const [isContentOpen, setContentOpen] = useState(false)
  const toggleContent = () => {
    setContentOpen(!isContentOpen)
    if (isContentOpen) onFold?.()
  }
  return (
    <div>
      <div className={classNames(!isContentOpen && styles.folded)}>{children}</div>
      <button type="button" className={typeStyles.link} aria-expanded={isContentOpen} onClick={toggleContent}>
        {isContentOpen ? 'Show less' : 'Read more'}
        <span className={typeStyles.hidden}>: {label}</span>
      </button>
    </div>
  )
}
