import type { Ref } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { PasswordField } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import { describePasswordRule, listVisiblePasswordRules } from './auth-messages.ts'
import styles from './new-password-field.module.css'
import type { PasswordPolicyCheck } from './use-account.ts'

interface NewPasswordFieldProps {
  label: string
  name: string
  advice: PasswordPolicyCheck | undefined
  onPassword: (password: string) => void
  required?: boolean
  problemText?: string | undefined
  ref?: Ref<HTMLInputElement>
}

/** A field for a new password, with the rules of the password policy and which of them are met. */
export function NewPasswordField({ advice, onPassword, ...fieldProps }: NewPasswordFieldProps) {
  return (
    <PasswordField {...fieldProps} autoComplete="new-password" onInput={(event) => onPassword(event.currentTarget.value)}>
      {/* While the policy is loading, an empty list reserves one line. */}
      <ul className={styles.rules}>
        {advice &&
          listVisiblePasswordRules(advice).map(({ rule, met }) => (
            <li key={rule} className={classNames(styles.rule, met && styles.met)}>
              <Icon name={met ? 'check' : 'info'} size="s" />
              {capitalizeFirst(describePasswordRule(rule, advice))}
              <span className={typeStyles.hidden}>{met ? ': done' : ': missing'}</span>
            </li>
          ))}
      </ul>
    </PasswordField>
  )
}

const capitalizeFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
