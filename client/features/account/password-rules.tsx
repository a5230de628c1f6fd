import type { PasswordAdvice } from '../../bindings/account.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import { asked, wanted } from './auth-words.ts'
import styles from './password-rules.module.css'

/** What the service asks of a password, and what of it is there. Room for one line is kept until it is known. */
export function PasswordRules({ advice }: { advice: PasswordAdvice | undefined }) {
  return (
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
  )
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
