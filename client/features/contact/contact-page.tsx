import type { FormTopic } from '../../../contract/contact-rules.ts'
import { pages } from '../../../contract/pages.ts'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import { ContactForm } from './contact-form.tsx'
import styles from './contact-page.module.css'

interface ContactPageProps {
  topic: FormTopic
  onTopic: (topic: FormTopic) => void
}

const nextSteps = [
  'A real person reads every message.',
  'We reply by email or on Discord.',
  'No connection? Your request waits on this device and is sent later.',
]

export function ContactPage({ topic, onTopic }: ContactPageProps) {
  const { settings } = useSite()
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <header className={styles.head}>
        <h1 className={classNames(typeStyles.display, typeStyles.d3)}>{pages['/get-in-touch'].heading}</h1>
        <p className={typeStyles.lead}>Request a song, apply for the network, report a bug, or tell us something else.</p>
      </header>
      <ContactForm
        topic={topic}
        onTopic={onTopic}
        aside={
          <aside className={styles.aside} aria-labelledby="next-heading">
            <h2 id="next-heading" className={classNames(typeStyles.head, typeStyles.d1)}>
              What happens next
            </h2>
            <ol className={styles.steps}>
              {nextSteps.map((nextStep) => (
                <li key={nextStep} className={styles.step}>
                  <Icon name="check" className={styles.check} />
                  {nextStep}
                </li>
              ))}
            </ol>
            <p className={styles.buttons}>
              <Button to="/faq">Read the FAQ</Button>
              {settings.SOCIAL_DISCORD !== '' && (
                <Button to={settings.SOCIAL_DISCORD} newTab icon="discord" variant="tertiary">
                  Ask on Discord
                </Button>
              )}
            </p>
          </aside>
        }
      />
    </div>
  )
}
