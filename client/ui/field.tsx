import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'
import typeStyles from './type.module.css'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> {
  label: string
  name: string
  /** What a browser or password manager may fill in. */
  autoComplete: string
  /** At the far end of the label's line. */
  aside?: ReactNode
  /** What is wrong with what stands there. */
  problem?: string | undefined
  /** Below the field: what is wanted of it. */
  children?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** One line to type in, under its label. What is typed before the program runs stays. */
export function Field({ label, aside, problem, children, ...input }: FieldProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} aside={aside} problem={problem} below={children}>
      <input {...input} id={id} className={styles.input} {...described(id, problem, children)} />
    </Frame>
  )
}

/** A password: hidden until one asks to see it, with a word where the Caps Lock key is on. */
export function PasswordField({ label, aside, problem, children, ...input }: FieldProps) {
  const id = useId()
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const noteCapsLock = (event: React.KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <Frame id={id} label={label} aside={aside} problem={problem} below={children}>
      <span className={styles.box}>
        <input
          {...input}
          id={id}
          type={shown ? 'text' : 'password'}
          className={classNames(styles.input, styles.password)}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onKeyDown={noteCapsLock}
          onKeyUp={noteCapsLock}
          onBlur={() => setCapsLock(false)}
          {...described(id, problem, children)}
        />
        <button type="button" className={styles.eye} aria-pressed={shown} aria-controls={id} onClick={() => setShown(!shown)}>
          <Icon name="eye" />
          <span className={typeStyles.hidden}>Show password</span>
        </button>
      </span>
      <span role="status" className={styles.caps}>
        {capsLock && (
          <>
            <Icon name="warning" size="s" />
            Caps Lock is on.
          </>
        )}
      </span>
    </Frame>
  )
}

const described = (id: string, problem: string | undefined, below: ReactNode) => {
  const by = [...(problem ? [`${id}-problem`] : []), ...(below ? [`${id}-below`] : [])]
  return { 'aria-invalid': problem !== undefined || undefined, 'aria-describedby': by.length === 0 ? undefined : by.join(' ') }
}

interface FrameProps {
  id: string
  label: string
  aside: ReactNode
  problem: string | undefined
  below: ReactNode
  children: ReactNode
}

function Frame({ id, label, aside, problem, below, children }: FrameProps) {
  return (
    <div className={styles.field}>
      <div className={styles.line}>
        <label htmlFor={id}>{label}</label>
        {aside}
      </div>
      {children}
      {problem !== undefined && (
        <p id={`${id}-problem`} className={styles.problem} role="alert">
          <Icon name="warning" size="s" />
          {problem}
        </p>
      )}
      {below && (
        <div id={`${id}-below`} className={styles.below}>
          {below}
        </div>
      )}
    </div>
  )
}
