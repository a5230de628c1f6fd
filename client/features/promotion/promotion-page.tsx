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
import { Notice } from '../../ui/states.tsx'
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
    <LoadedContent of={promotion} offlineTitle="Your promotion needs a connection." failureTitle="Your promotion could not be loaded.">
      {(promotionData) => (
        <>
          <p className={typeStyles.lead}>Each day the home page features one subscriber's channel. Whoever has waited longest is next.</p>
          <PromotionEditor promotion={promotionData} onSaved={promotion.reload} />
          <Schedule days={promotionData.promotion_calendar.map(({ date }) => date.slice(0, 10))} />
        </>
      )}
    </LoadedContent>
  )
}

const labelByField: Record<PromotionField, string> = { youtube_channel: 'YouTube channel', youtube_share: 'What to share' }
const hintByField: Record<PromotionField, string> = {
  youtube_channel: "Your handle or your channel's address.",
  youtube_share: 'One of your videos or playlists.',
}

interface PromotionEditorProps {
  promotion: Promotion
  onSaved: () => void
}

/** The form of a promotion, beside a preview of how the home page shows the typed values. */
function PromotionEditor({ promotion, onSaved }: PromotionEditorProps) {
  const [savedLinks, setLinks] = useState<PromotionLinks>({
    youtube_channel: promotion.youtube_channel,
    youtube_share: promotion.youtube_share,
  })
  return (
    <>
      {promotion.video_hidden === true && (
        <Notice kind="bad">Our team has hidden this video, so your promotion is not shown. Please share another one.</Notice>
      )}
      <PromotionForm promotion={promotion} onSaved={onSaved} onLinks={setLinks} />
      {findWrongPromotionField(savedLinks) === undefined && (
        <section aria-labelledby="preview-heading">
          <SectionHeading id="preview-heading" size="small">
            Preview
          </SectionHeading>
          <div className={styles.preview} inert>
            <PromotionCard
              promotion={{ ...promotion, ...savedLinks }}
              label={<p className={typeStyles.muted}>Channel of the day</p>}
              areLinksSaved={savedLinks.youtube_share === promotion.youtube_share && promotion.video_hidden !== true}
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
  const formData = new FormData(form)
  return toPromotionLinks({
    youtube_channel: readFieldText(formData, 'youtube_channel'),
    youtube_share: readFieldText(formData, 'youtube_share'),
  })
}

function PromotionForm({ promotion, onSaved, onLinks }: PromotionEditorProps & { onLinks: (links: PromotionLinks) => void }) {
  const saveLinks = useAccountAction((api, links: PromotionLinks) => api.call('POST /promotion/save', links))
  const [fieldProblem, setProblem] = useState<{ field: PromotionField; text: string }>()
  const inputRefs = { youtube_channel: useRef<HTMLInputElement>(null), youtube_share: useRef<HTMLInputElement>(null) }
  return (
    <AccountForm
      label="Promotion"
      action={saveLinks}
      submitLabel="Save"
      successText="Your channel promotion has been saved!"
      onSubmit={async (form) => {
        const enteredLinks = readLinks(form)
        for (const field of promotionFields) if (inputRefs[field].current) inputRefs[field].current.value = enteredLinks[field]
        const wrongField = findWrongPromotionField(enteredLinks)
        setProblem(
          wrongField && {
            field: wrongField,
            text: enteredLinks[wrongField] === '' ? 'Please fill in this field.' : 'Please enter a YouTube address.',
          },
        )
        if (wrongField) {
          inputRefs[wrongField].current?.focus()
          return false
        }
        const isSaved = await saveLinks.run(enteredLinks)
        if (isSaved) onSaved()
        return isSaved
      }}
    >
      {promotionFields.map((promotionField) => (
        <Field
          key={promotionField}
          ref={inputRefs[promotionField]}
          label={labelByField[promotionField]}
          name={promotionField}
          inputMode="url"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={promotionField === 'youtube_channel' ? '@name or https://' : 'https://'}
          maxLength={PROMOTION_URL_MAX_LENGTH}
          defaultValue={promotion[promotionField]}
          problem={fieldProblem?.field === promotionField ? fieldProblem.text : undefined}
          onInput={({ currentTarget }) => {
            setProblem(undefined)
            if (currentTarget.form) onLinks(readLinks(currentTarget.form))
          }}
        >
          {hintByField[promotionField]}
        </Field>
      ))}
    </AccountForm>
  )
}

/** The days of the promotion as ISO dates, such as `2026-11-24`, oldest first. */
function Schedule({ days }: { days: readonly string[] }) {
  const todayText = new Date().toISOString().slice(0, 10)
  return (
    <section aria-labelledby="schedule-heading">
      <SectionHeading id="schedule-heading" size="small">
        Schedule
      </SectionHeading>
      {days.length === 0 ? (
        <p className={typeStyles.muted}>You have no promotions scheduled (yet).</p>
      ) : (
        <ol className={listStyles.list}>
          {days.toReversed().map((promotionDay) => (
            <li key={promotionDay}>
              <time className={typeStyles.mono} dateTime={promotionDay}>
                {promotionDay}
              </time>
              <span className={typeStyles.muted}>
                {promotionDay < todayText ? 'Shown' : promotionDay === todayText ? 'Today' : 'Planned'}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
