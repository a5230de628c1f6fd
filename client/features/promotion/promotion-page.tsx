import { useRef, useState } from 'react'
import { pages } from '../../../contract/pages.ts'
import type { Promotion } from '../../../contract/promotion.ts'
import {
  findWrongPromotionField,
  PROMOTION_URL_MAX_LENGTH,
  type PromotionField,
  type PromotionLinks,
  promotionFields,
  toPromotionLinks,
} from '../../../contract/promotion-rules.ts'
import { AccountForm } from '../../components/account-form.tsx'
import listStyles from '../../components/account-lists.module.css'
import { LoadedContent } from '../../components/loaded-content.tsx'
import { SubscriberPage } from '../../components/subscriber-gate.tsx'
import { useAccountAction, useAccountData } from '../../hooks/account-data.ts'
import { readFieldText } from '../../primitives/field-text.ts'
import { Field } from '../../ui/field.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import typeStyles from '../../ui/type.module.css'
import { PromotionCard } from './promotion-card.tsx'
import styles from './todays-promotion.module.css'

export function PromotionPage() {
  return (
    <SubscriberPage tool="promotion" title={pages['/account/promotion'].heading}>
      {() => <LoadedPromotion />}
    </SubscriberPage>
  )
}

function LoadedPromotion() {
  const promotion = useAccountData('GET /promotion/get', {})
  return (
    <LoadedContent of={promotion} offline="Your promotion needs a connection." failure="Your promotion could not be loaded.">
      {(data) => (
        <>
          <p className={typeStyles.lead}>Each day the home page features one subscriber's channel. Whoever has waited longest is next.</p>
          <PromotionEditor promotion={data} onSaved={promotion.reload} />
          <Schedule days={data.promotion_calendar.map(({ date }) => date.slice(0, 10))} />
        </>
      )}
    </LoadedContent>
  )
}

const labels: Record<PromotionField, string> = { youtube_channel: 'YouTube channel', youtube_share: 'What to share' }
const hints: Record<PromotionField, string> = {
  youtube_channel: "Your handle or your channel's address.",
  youtube_share: 'One of your videos or playlists.',
}

interface PromotionEditorProps {
  promotion: Promotion
  onSaved: () => void
}

/** The form of a promotion, beside a preview of how the home page shows the typed values. */
function PromotionEditor({ promotion, onSaved }: PromotionEditorProps) {
  const [links, setLinks] = useState<PromotionLinks>({ youtube_channel: promotion.youtube_channel, youtube_share: promotion.youtube_share })
  return (
    <>
      <PromotionForm promotion={promotion} onSaved={onSaved} onLinks={setLinks} />
      {findWrongPromotionField(links) === undefined && (
        <section aria-labelledby="preview-heading">
          <SectionHeading id="preview-heading" size="small">
            Preview
          </SectionHeading>
          <div className={styles.preview} inert>
            <PromotionCard
              promotion={{ ...promotion, ...links }}
              label={<p className={typeStyles.muted}>Channel of the day</p>}
              isSaved={links.youtube_share === promotion.youtube_share}
            />
          </div>
          {promotion.domain_name === undefined && (
            <p className={typeStyles.muted}>
              With a{' '}
              <a className={typeStyles.link} href="/account/website">
                website of your own
              </a>
              , the card has its name, picture and address.
            </p>
          )}
        </section>
      )}
    </>
  )
}

/** Returns the full addresses for the texts of the form, which may be abbreviated. */
function readLinks(form: HTMLFormElement): PromotionLinks {
  const fields = new FormData(form)
  return toPromotionLinks({
    youtube_channel: readFieldText(fields, 'youtube_channel'),
    youtube_share: readFieldText(fields, 'youtube_share'),
  })
}

function PromotionForm({ promotion, onSaved, onLinks }: PromotionEditorProps & { onLinks: (links: PromotionLinks) => void }) {
  const save = useAccountAction((api, links: PromotionLinks) => api.call('POST /promotion/save', links))
  const [problem, setProblem] = useState<{ field: PromotionField; text: string }>()
  const inputs = { youtube_channel: useRef<HTMLInputElement>(null), youtube_share: useRef<HTMLInputElement>(null) }
  return (
    <AccountForm
      label="Promotion"
      action={save}
      submitLabel="Save"
      successText="Your channel promotion has been saved!"
      onSubmit={async (form) => {
        const links = readLinks(form)
        for (const field of promotionFields) if (inputs[field].current) inputs[field].current.value = links[field]
        const wrongField = findWrongPromotionField(links)
        setProblem(
          wrongField && {
            field: wrongField,
            text: links[wrongField] === '' ? 'Please fill in this field.' : 'Please enter a YouTube address.',
          },
        )
        if (wrongField) {
          inputs[wrongField].current?.focus()
          return false
        }
        const isSaved = await save.run(links)
        if (isSaved) onSaved()
        return isSaved
      }}
    >
      {promotionFields.map((field) => (
        <Field
          key={field}
          ref={inputs[field]}
          label={labels[field]}
          name={field}
          inputMode="url"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={field === 'youtube_channel' ? '@name or https://' : 'https://'}
          maxLength={PROMOTION_URL_MAX_LENGTH}
          defaultValue={promotion[field]}
          problem={problem?.field === field ? problem.text : undefined}
          onInput={({ currentTarget }) => {
            setProblem(undefined)
            if (currentTarget.form) onLinks(readLinks(currentTarget.form))
          }}
        >
          {hints[field]}
        </Field>
      ))}
    </AccountForm>
  )
}

/** The days of the promotion as ISO dates, such as `2026-11-24`, oldest first. */
function Schedule({ days }: { days: readonly string[] }) {
  const today = new Date().toISOString().slice(0, 10)
  return (
    <section aria-labelledby="schedule-heading">
      <SectionHeading id="schedule-heading" size="small">
        Schedule
      </SectionHeading>
      {days.length === 0 ? (
        <p className={typeStyles.muted}>You have no promotions scheduled (yet).</p>
      ) : (
        <ol className={listStyles.list}>
          {days.toReversed().map((day) => (
            <li key={day}>
              <time className={typeStyles.mono} dateTime={day}>
                {day}
              </time>
              <span className={typeStyles.muted}>{day < today ? 'Shown' : day === today ? 'Today' : 'Planned'}</span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
