import type { FocusEventHandler, KeyboardEventHandler, MouseEventHandler, PointerEventHandler, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './icon-button.module.css'

interface IconButtonProps {
  icon: IconName
  /** Accessible name, also shown as a tooltip. */
  label: string
  pressed?: boolean
  disabled?: boolean
  /** `quiet`: drawn in the muted colour. `bright`: drawn in the text colour. `play`: the play button of a player. */
  look?: 'quiet' | 'bright' | 'play'
  size?: 'm' | 'l'
  className?: string | undefined
  onClick?: MouseEventHandler<HTMLButtonElement>
  onKeyDown?: KeyboardEventHandler<HTMLButtonElement>
  onFocus?: FocusEventHandler<HTMLButtonElement>
  onPointerEnter?: PointerEventHandler<HTMLButtonElement>
  ref?: Ref<HTMLButtonElement>
  'aria-expanded'?: boolean
  'aria-controls'?: string
  'aria-haspopup'?: 'menu' | 'dialog'
}

/** A button with an icon and no visible text, at least 44 × 44 px. */
export function IconButton({ icon, label, pressed, look = 'quiet', size = 'm', className, ...buttonProps }: IconButtonProps) {
  return (
    <button
      type="button"
      {...buttonProps}
      aria-label={label}
      aria-pressed={pressed}
      title={label}
      className={classNames(styles.button, styles[look], size === 'l' && styles.large, className)}
    >
      <Icon name={icon} size={look === 'play' && size === 'l' ? 'l' : 'm'} />
    </button>
  )
}
