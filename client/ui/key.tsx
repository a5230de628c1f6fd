import type { ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import styles from './key.module.css'

interface KeyLook {
  children: ReactNode
  /** `lit`: the one main action of its region. `flat`: third in rank. */
  variant?: 'plain' | 'lit' | 'flat'
  size?: 'normal' | 'big'
  icon?: IconName
  className?: string
}

interface KeyButton extends KeyLook {
  to?: never
  onClick?: () => void
  type?: 'button' | 'submit'
  disabled?: boolean
  /** Makes it a toggle: an LED and `aria-pressed`. */
  pressed?: boolean
  /** Shows that the action is under way; further presses are ignored. */
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

interface KeyLink extends KeyLook {
  /** Where it leads: an address of the site or of another. */
  to: string
  newTab?: boolean
}

/** Every button with words, and every link that acts as one. It travels when it is pressed. */
export function Key(props: KeyButton | KeyLink) {
  const { children, variant = 'plain', size = 'normal', icon } = props
  const className = classNames(styles.key, styles[variant], size === 'big' && styles.big, props.className)
  const drawing = icon && <Icon name={icon} />
  if (props.to !== undefined) {
    return (
      <a className={className} href={props.to} {...(props.newTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}>
        {drawing}
        {children}
      </a>
    )
  }
  const { onClick, type = 'button', disabled, pressed, busy = false, ref } = props
  return (
    <button
      ref={ref}
      type={type}
      className={classNames(className, busy && styles.busy)}
      disabled={disabled}
      aria-pressed={pressed}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick && (() => onClick())}
    >
      {pressed !== undefined && <span className={styles.led} />}
      {drawing}
      {children}
    </button>
  )
}
