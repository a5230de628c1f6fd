import type { KeyboardEventHandler, MouseEventHandler, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './icon-button.module.css'

interface IconButtonProps {
  icon: IconName
  /** Its accessible name, also shown as a tooltip. */
  label: string
  /** Makes it a toggle. */
  pressed?: boolean
  disabled?: boolean
  /** `bright` stands in the text colour (transport keys), `play` is the lit main key of a transport. */
  look?: 'quiet' | 'bright' | 'play'
  size?: 'm' | 'l'
  className?: string
  onClick?: MouseEventHandler<HTMLButtonElement>
  onKeyDown?: KeyboardEventHandler<HTMLButtonElement>
  ref?: Ref<HTMLButtonElement>
  'aria-expanded'?: boolean
  'aria-controls'?: string
  'aria-haspopup'?: 'menu' | 'dialog'
}

/** A button that is only a drawing, 44 px or more on each side. */
export function IconButton({ icon, label, pressed, look = 'quiet', size = 'm', className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      className={classNames(styles.button, styles[look], size === 'l' && styles.large, className)}
    >
      <Icon name={icon} size={look === 'play' && size === 'l' ? 'l' : 'm'} />
    </button>
  )
}
