import type { Ref } from 'react'
import type { PasswordAdvice } from '../../bindings/account.ts'
import { classNames } from '../../ui/class-names.ts'
import { PasswordField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import { asked, wanted } from './auth-words.ts'
import styles from './new-password-field.module.css'

interface NewPasswordFieldProps {
  label: string
  name: string
  advice: PasswordAdvice | undefined
  onPassword: (password: string) => void
  required?: boolean
  problem?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** A password that is chosen here: below it what the service asks for, and what of it is there. */
export function NewPasswordField({ advice, onPassword, ...field }: NewPasswordFieldProps) {
  return (
    <PasswordField {...field} autoComplete="new-password" onInput={(event) => onPassword(event.currentTarget.value)}>
      {/* Room for one line is kept until it is known. */}
      <ul className={styles.rules}>
        {advice &&
          asked(advice).map(({ rule, met }) => (
            <li key={rule} className={classNames(styles.rule, met && styles.met)}>
              <Icon name={met ? 'check' : 'info'} size="s" />
              {capital(wanted(rule, advice))}
              <span className={typeStyles.hidden}>{met ? ': done' : ': missing'}</span>
            </li>
          ))}
      </ul>
    </PasswordField>
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
