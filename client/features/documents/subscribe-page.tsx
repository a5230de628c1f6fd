import type { ReactNode } from 'react'
import { createCheckoutUrl } from '../../../contract/checkout-url.ts'
import type { ContentDocument } from '../../../contract/content.ts'
import { pages } from '../../../contract/pages.ts'
import { formatLastDay } from '../../components/subscriber-gate.tsx'
import { interruptionMessages } from '../../components/subscription-interruption.ts'
import { useDocument } from '../../hooks/documents.ts'
import { type SignedInAccount, useSignedInAccount } from '../../hooks/identity.ts'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { DocumentPage } from './document-page.tsx'
import styles from './subscribe-page.module.css'
import { type PaidSubscription, paymentPlanNames, useOpenCheckout, useSubscription } from './use-subscription.ts'

type Plan = ContentDocument<'plans'>[number]

/**
 * The page with a card for each plan, answers to questions about the plans, and `sample`, which plays an example of a song before and after the
 * maker.
 */
export function SubscribePage({ sample }: { sample: ReactNode }) {
  const loadedPlans = useDocument('plans')
  const account = useSignedInAccount()
  return (
    <DocumentPage heading={pages['/subscribe'].heading} lead="Support the site, and get the tools that come with it." loaded={loadedPlans}>
      {(plans) => (
        <>
          {account === undefined ? (
            <PlanCards plans={plans} renderAction={(plan) => <CheckoutLink plan={plan} account={undefined} />} />
          ) : (
            <AccountPlans key={account.uid} plans={plans} account={account} />
          )}
          <PlanQuestions />
          <div className={styles.sample}>{sample}</div>
        </>
      )}
    </DocumentPage>
  )
}

/** Renders the plans for a signed-in account, with the plans that the account already pays for. */
function AccountPlans({ plans, account }: { plans: readonly Plan[]; account: SignedInAccount }) {
  const subscription = useSubscription(account.uid)
  const { awaitedPlan, paidPlan, interruption } = subscription
  const findPlanTitle = (id: Plan['id']) => plans.find((plan) => plan.id === id)?.title
  return (
    <>
      {interruption !== undefined && (
        <div className={styles.status}>
          <Notice kind="bad">{interruptionMessages[interruption]}</Notice>
        </div>
      )}
      <div role="status" className={styles.status}>
        {paidPlan !== undefined && <ThankYouMessage title={findPlanTitle(paidPlan) ?? ''} isDonation={paidPlan === 'donate'} />}
        {awaitedPlan !== undefined && (
          <Notice>Waiting for the payment in the other tab. This page updates by itself, usually within a minute.</Notice>
        )}
      </div>
      <PlanCards plans={plans} renderAction={(plan) => <AccountAction plan={plan} account={account} subscription={subscription} />} />
    </>
  )
}

function ThankYouMessage({ title, isDonation }: { title: string; isDonation: boolean }) {
  if (isDonation) return <Notice kind="good">Thank you for your donation. Your badge is on.</Notice>
  return (
    <Notice kind="good">
      <p>Thank you, {title} is on. Your first steps:</p>
      <p className={styles.steps}>
        <Button to="/account/maker">Make a song</Button>
        <Button to="/account/website">Set up your website</Button>
        <Button to="/account/promotion">Promote your channel</Button>
      </p>
    </Notice>
  )
}

/** Renders the link in a plan's card: to the checkout, or, if the account has a subscription, to where the subscription is managed. */
function AccountAction({ plan, account, subscription }: { plan: Plan; account: SignedInAccount; subscription: PaidSubscription }) {
  const { settings } = useSite()
  const { grants, interruption, isPlanUnknown: isUnknown, awaitPayment } = subscription
  const portalUrl = settings.CUSTOMER_PORTAL
  if (grants === undefined && !isUnknown)
    return (
      <Button size="big" busy>
        {plan.action}
      </Button>
    )
  const ownGrant = grants?.find((grant) => grant.plan === paymentPlanNames[plan.id])
  const isInterrupted = interruption !== undefined
  const hasSubscription = isInterrupted || grants?.some(({ role }) => role === 'subscriber') === true
  const ownGrantText = ownGrant?.until !== undefined && (
    <p className={styles.own}>
      <Icon name="check" className={styles.check} />
      <span>
        Your plan · until {formatLastDay(ownGrant.until)}
        {ownGrant.renews && <span className={typeStyles.muted}>. It renews automatically.</span>}
      </span>
    </p>
  )
  if (plan.id === 'donate' || !hasSubscription)
    return (
      <>
        {ownGrantText}
        <CheckoutLink plan={plan} account={account} onOpened={() => awaitPayment(plan.id)} />
      </>
    )
  if (ownGrant !== undefined || isInterrupted)
    return (
      <>
        {ownGrantText}
        <ManageLink />
      </>
    )
  if (portalUrl === '')
    return (
      <Button to="/get-in-touch?topic=other" size="big">
        Ask for {plan.title}
      </Button>
    )
  return (
    <Button to={portalUrl} newTab size="big" onFollow={() => awaitPayment(plan.id)}>
      Change to {plan.title}
    </Button>
  )
}

/** A link to the billing portal, where a subscription is changed or ended, or to the contact form if there is no portal. */
function ManageLink() {
  const { settings } = useSite()
  return settings.CUSTOMER_PORTAL === '' ? (
    <Button to="/get-in-touch?topic=other" size="big">
      Change or end it
    </Button>
  ) : (
    <Button to={settings.CUSTOMER_PORTAL} newTab size="big">
      Manage
    </Button>
  )
}

/** A link to the checkout of a plan. If an account is signed in, the server is asked first, and its refusal is shown below the link. */
function CheckoutLink({ plan, account, onOpened }: { plan: Plan; account: SignedInAccount | undefined; onOpened?: () => void }) {
  const url = createCheckoutUrl(plan.checkout, account)
  const buttonVariant = plan.most_popular ? 'primary' : 'secondary'
  if (url === undefined)
    return (
      <Button size="big" disabled>
        Not open yet
      </Button>
    )
  if (account === undefined || onOpened === undefined)
    return (
      <Button to={url} newTab size="big" variant={buttonVariant}>
        {plan.action}
      </Button>
    )
  return <AccountCheckoutLink plan={plan} url={url} variant={buttonVariant} onOpened={onOpened} />
}

/** The HTTP status of the response that refuses a second subscription. */
const ALREADY_SUBSCRIBED_STATUS = 409

interface AccountCheckoutLinkProps {
  plan: Plan
  url: string
  variant: 'primary' | 'secondary'
  onOpened: () => void
}

function AccountCheckoutLink({ plan, url, variant, onOpened }: AccountCheckoutLinkProps) {
  const openCheckout = useOpenCheckout(plan.id, onOpened)
  const error = openCheckout.result?.error
  return (
    <>
      <Button
        to={url}
        newTab
        size="big"
        variant={variant}
        onFollow={(event) => {
          event.preventDefault()
          if (!openCheckout.busy) openCheckout.open()
        }}
      >
        {plan.action}
      </Button>
      {error && <Notice kind="bad">{error.kind === 'network' ? 'This needs a connection. Nothing was charged.' : error.message}</Notice>}
      {error?.kind === 'api' && error.code === ALREADY_SUBSCRIBED_STATUS && <ManageLink />}
    </>
  )
}

/** Answers questions that people have before they pay. */
function PlanQuestions() {
  const { settings } = useSite()
  return (
    <section className={styles.answers} aria-labelledby="answers-heading">
      <SectionHeading id="answers-heading">Before you pay</SectionHeading>
      <dl className={styles.questions}>
        <div>
          <dt className={typeStyles.legend}>How do I end it?</dt>
          <dd>
            Any time{settings.CUSTOMER_PORTAL === '' ? ', by a message to us' : ': press Manage here or on your dashboard'}. Your plan stays
            until the end of the paid period, and nothing more is charged.
          </dd>
        </div>
        <div>
          <dt className={typeStyles.legend}>Is tax included?</dt>
          <dd>The price on the card is what you pay, with taxes. The checkout shows the total before you confirm it.</dd>
        </div>
        <div>
          <dt className={typeStyles.legend}>What happens to my site and presets?</dt>
          <dd>
            Your site and promotion are hidden, not deleted: subscribe again and they are back as they were. Your presets stay in your
            account, and your edits in the maker on your device.
          </dd>
        </div>
      </dl>
    </section>
  )
}

function PlanCards({ plans, renderAction }: { plans: readonly Plan[]; renderAction: (plan: Plan) => ReactNode }) {
  return (
    <div className={styles.plans}>
      {plans.map((plan) => (
        <PlanCard key={plan.id} plan={plan} action={renderAction(plan)} />
      ))}
    </div>
  )
}

function PlanCard({ plan, action }: { plan: Plan; action: ReactNode }) {
  const headingId = `plan-${plan.id}`
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
      {action}
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
