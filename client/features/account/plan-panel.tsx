import type { AccountInfo, Role, RoleGrant } from '../../../contract/account.ts'
import { describeSubscriptionEnd, formatLastDay, planNames } from '../../components/subscriber-gate.tsx'
import { interruptionMessages, usePlanInfo } from '../../components/subscription-interruption.ts'
import type { SignedInAccount } from '../../hooks/identity.ts'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './dashboard-page.module.css'

export const roleNames: Record<Role, string> = { subscriber: 'Subscriber', donator: 'Donator' }

const nameGrant = ({ role, plan }: RoleGrant) => (plan === undefined ? roleNames[role] : planNames[plan])

function describeGrant({ source, until, renews }: RoleGrant): string {
  const origin = source === 'payment' ? 'Paid' : 'Given by the team'
  if (until === undefined) return `${origin}, with no end date.`
  return `${origin} until ${formatLastDay(until)}.${renews ? ' It renews automatically.' : ''}`
}

/** Returns one grant for each plan, because a plan that includes two roles has a grant for each role. */
const keepOnePerPlan = (grants: readonly RoleGrant[]) =>
  grants.filter(
    (grant, index) => grants.findIndex((each) => nameGrant(each) === nameGrant(grant) && each.source === grant.source) === index,
  )

/** Shows the account's plans, paid for or given, with their ends, and links to the page where a subscription can be changed. */
export function PlanPanel({ person }: { person: SignedInAccount }) {
  const { data, status } = usePlanInfo(person.uid)
  return (
    <section className={styles.section} aria-labelledby="plan-heading">
      <SectionHeading id="plan-heading" size="small">
        Your plan
      </SectionHeading>
      <div className={styles.card}>
        {data?.grants === undefined ? (
          <div className={styles.row}>
            <strong>{status === 'error' ? 'Unknown right now' : 'Loading...'}</strong>
          </div>
        ) : (
          <Grants grants={data.grants} info={data} />
        )}
      </div>
    </section>
  )
}

function Grants({ grants, info: { ended, interrupted } }: { grants: readonly RoleGrant[]; info: AccountInfo }) {
  const { settings } = useSite()
  const isSubscriber = grants.some(({ role }) => role === 'subscriber')
  const hasPaid = grants.some(({ source }) => source === 'payment')
  return (
    <>
      {keepOnePerPlan(grants).map((grant) => (
        <div key={`${grant.source} ${nameGrant(grant)}`} className={styles.row}>
          <div>
            <strong>{nameGrant(grant)}</strong>
            <span className={typeStyles.muted}>{describeGrant(grant)}</span>
          </div>
        </div>
      ))}
      {interrupted !== undefined && (
        <div className={styles.row}>
          <div>
            <strong>{interruptionMessages[interrupted]}</strong>
            {ended && <span className={typeStyles.muted}>{describeSubscriptionEnd(ended)}</span>}
          </div>
          {settings.CUSTOMER_PORTAL === '' ? (
            <Button to="/get-in-touch?topic=other" variant="primary">
              Write to us
            </Button>
          ) : (
            <Button to={settings.CUSTOMER_PORTAL} newTab variant="primary">
              Manage
            </Button>
          )}
        </div>
      )}
      {!isSubscriber && interrupted === undefined && (
        <div className={styles.row}>
          <div>
            <strong>No subscription</strong>
            <span className={typeStyles.muted}>
              {ended && `${describeSubscriptionEnd(ended)} `}A subscription brings you the maker, a website and promotion for your channel.
            </span>
          </div>
          <Button to="/subscribe" variant="primary">
            Subscribe
          </Button>
        </div>
      )}
      {hasPaid && interrupted === undefined && settings.CUSTOMER_PORTAL && (
        <div className={styles.row}>
          <div>
            <strong>Subscription and invoices</strong>
            <span className={typeStyles.muted}>Change or cancel it on the payment page. It lasts until the end of the paid period.</span>
          </div>
          <Button to={settings.CUSTOMER_PORTAL} newTab variant="tertiary">
            Manage
          </Button>
        </div>
      )}
    </>
  )
}
