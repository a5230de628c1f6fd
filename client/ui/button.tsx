import type { MouseEvent, ReactNode, Ref } from 'react'
import styles from './button.module.css'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'

interface CommonButtonProps {
  children: ReactNode
  /** `primary`: the main action of its region. `secondary`: another action. `tertiary`: a minor action, without a background. */
  variant?: 'primary' | 'secondary' | 'tertiary'
  size?: 'normal' | 'big'
  icon?: IconName
  className?: string
}

interface ButtonProps extends CommonButtonProps {
  to?: never
  onClick?: () => void
  type?: 'button' | 'submit'
  disabled?: boolean
  /** Renders a toggle button with an indicator light and `aria-pressed`. */
  pressed?: boolean
  /** Shows a spinner and ignores clicks while the action runs. */
  busy?: boolean
  ref?: Ref<HTMLButtonElement>
}

interface ButtonLinkProps extends CommonButtonProps {
  to: string
  newTab?: boolean
  /** Called when the link is pressed. `preventDefault()` prevents the browser from following the link. */
  onFollow?: (event: MouseEvent) => void
}

/** A labelled button, or a link that looks like one. */
export function Button(props: ButtonProps | ButtonLinkProps) {
  const { children, variant = 'secondary', size = 'normal', icon } = props
  const className = classNames(styles.button, styles[variant], size === 'big' && styles.big, props.className)
  const iconElement = icon && <Icon name={icon} />
  if (props.to !== undefined) {
    return (
      <a
        className={className}
        href={props.to}
        onClick={props.onFollow}
        {...(props.newTab ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      >
        {iconElement}
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
      {iconElement}
      {children}
    </button>
  )
}
