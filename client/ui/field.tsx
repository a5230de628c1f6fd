import { createContext, type InputHTMLAttributes, type ReactNode, type Ref, useContext, useId, useState } from 'react'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'
import typeStyles from './type.module.css'

interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id'> {
  label: string
  name: string
  /** The autofill token for browsers and password managers. */
  autoComplete: string
  /** Content at the end of the line of the label. */
  labelAside?: ReactNode
  /** Error message about the current value. */
  problem?: string | undefined
  /** Hint below the input. */
  children?: ReactNode
  ref?: Ref<HTMLInputElement>
}

/** The error messages of a form's fields, by the names of the fields. */
export const FieldProblems = createContext<Readonly<Partial<Record<string, string>>>>({})

/** A labelled text input. It is uncontrolled, so that text typed before hydration is preserved. */
export function Field({ label, labelAside: aside, problem: ownProblem, children, ...inputProps }: FieldProps) {
  const inputId = useId()
  const problemText = useContext(FieldProblems)[inputProps.name] ?? ownProblem
  return (
    <FieldFrame id={inputId} label={label} labelAside={aside} problem={problemText} hint={children}>
      <input {...inputProps} id={inputId} className={styles.input} {...createDescribedByProps(inputId, problemText, children)} />
    </FieldFrame>
  )
}

/** A labelled password input with a button that reveals the password and a warning about Caps Lock. */
export function PasswordField({ label, labelAside: aside, problem: ownProblem, children, ...inputProps }: FieldProps) {
  const inputId = useId()
  const problemText = useContext(FieldProblems)[inputProps.name] ?? ownProblem
  const [isPasswordRevealed, setPasswordRevealed] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  const updateCapsLock = (event: React.KeyboardEvent) => setCapsLock(event.getModifierState('CapsLock'))
  return (
    <FieldFrame id={inputId} label={label} labelAside={aside} problem={problemText} hint={children}>
      <span className={styles.box}>
        <input
          {...inputProps}
          id={inputId}
          type={isPasswordRevealed ? 'text' : 'password'}
          className={classNames(styles.input, styles.password)}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onKeyDown={updateCapsLock}
          onKeyUp={updateCapsLock}
          onBlur={() => setCapsLock(false)}
          {...createDescribedByProps(inputId, problemText, children)}
        />
        <button
          type="button"
          className={styles.eye}
          aria-pressed={isPasswordRevealed}
          aria-controls={inputId}
          onClick={() => setPasswordRevealed(!isPasswordRevealed)}
        >
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
    </FieldFrame>
  )
}

/** Returns the ARIA attributes that connect an input with its error message and its hint. */
export const createDescribedByProps = (inputId: string, errorMessage: string | undefined, hint: ReactNode) => {
  const ids = [...(errorMessage ? [`${inputId}-problem`] : []), ...(hint ? [`${inputId}-hint`] : [])]
  return { 'aria-invalid': errorMessage !== undefined || undefined, 'aria-describedby': ids.length === 0 ? undefined : ids.join(' ') }
}

interface FieldFrameProps {
  id: string
  label: string
  labelAside?: ReactNode
  problem?: string | undefined
  hint?: ReactNode
  children: ReactNode
}

/** The label, error message and hint of an input. */
export function FieldFrame({ id, label, labelAside: aside, problem, hint, children }: FieldFrameProps) {
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
      {hint && (
        <div id={`${id}-hint`} className={styles.hint}>
          {hint}
        </div>
      )}
    </div>
  )
}
