import type { ReactNode } from 'react'
import type { ContentDocument } from '../../../contract/content.ts'
import { pages } from '../../../contract/pages.ts'
import { useDocument } from '../../hooks/documents.ts'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import typeStyles from '../../ui/type.module.css'
import { checkoutUrl } from './checkout-url.ts'
import { DocumentPage } from './document-page.tsx'
import styles from './subscribe-page.module.css'

type Plan = ContentDocument<'plans'>[number]

/** The plans as cards, and the element `sample`, with which people can hear what the maker does. */
export function SubscribePage({ sample }: { sample: ReactNode }) {
  const loaded = useDocument('plans')
  return (
    <DocumentPage heading={pages['/subscribe'].heading} lead="Support the site, and get the tools that come with it." loaded={loaded}>
      {(plans) => (
        <>
          <div className={styles.plans}>
            {plans.map((plan) => (
              <PlanCard key={plan.id} plan={plan} />
            ))}
          </div>
          <div className={styles.sample}>{sample}</div>
        </>
      )}
    </DocumentPage>
  )
}

function PlanCard({ plan }: { plan: Plan }) {
  const account = useSignedInAccount()
  const url = checkoutUrl(plan.checkout, account)
  const headingId = `plan-${plan.id}`
  const variant = plan.most_popular ? 'primary' : 'secondary'
  return (
    <article className={classNames(styles.plan, plan.most_popular && styles.popular)} aria-labelledby={headingId}>
      <div className={styles.title}>
        <h2 id={headingId} className={classNames(typeStyles.head, typeStyles.d2)}>
          {plan.title}
        </h2>
        {plan.most_popular && <span className={styles.flag}>Most Popular</span>}
      </div>
      <p className={styles.price}>
        <span className={/\d/.test(plan.price) ? typeStyles.figure : classNames(typeStyles.head, typeStyles.d1)}>{plan.price}</span>
        {plan.period !== '' && <span className={typeStyles.muted}>{plan.period}</span>}
      </p>
      {url === undefined ? (
        <Button size="big" disabled>
          Not open yet
        </Button>
      ) : (
        <Button to={url} newTab size="big" variant={variant}>
          {plan.action}
        </Button>
      )}
      <h3 className={typeStyles.legend}>Exclusive roles</h3>
      <ul className={styles.roles}>
        {plan.roles.map((role) => (
          <li key={role} className={styles.role}>
            {role}
          </li>
        ))}
      </ul>
      <h3 className={typeStyles.legend}>Perks</h3>
      <ul className={styles.perks}>
        {plan.perks.map((perk) => (
          <li key={perk} className={styles.perk}>
            <Icon name="check" className={styles.check} />
            {perk}
          </li>
        ))}
      </ul>
    </article>
  )
}
