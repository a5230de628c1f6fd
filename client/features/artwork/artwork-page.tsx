import { useState } from 'react'
import type { SentMessage } from '../../../contract/contact.ts'
import { contactMaxLengths } from '../../../contract/contact-rules.ts'
import { isBlankText } from '../../../contract/form-rules.ts'
import { pages } from '../../../contract/pages.ts'
import { toWebAddress } from '../../../contract/website-rules.ts'
import formStyles from '../../components/account-form.module.css'
import { AccountForm } from '../../components/account-form.tsx'
import listStyles from '../../components/account-lists.module.css'
import { LoadedContent } from '../../components/loaded-content.tsx'
import { SubscriberPage } from '../../components/subscriber-gate.tsx'
import { type AccountAction, useAccountAction, useAccountData } from '../../hooks/account-data.ts'
import { useSite } from '../../hooks/services.tsx'
import { readFieldText } from '../../primitives/field-text.ts'
import { createUniqueId } from '../../primitives/unique-id.ts'
import { Field } from '../../ui/field.tsx'
import { TextAreaField } from '../../ui/form-controls.tsx'
import { formatLongDate } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { EmptyState } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'

export function ArtworkPage() {
  const { settings } = useSite()
  return (
    <SubscriberPage tool="artwork" title={pages['/account/artwork'].heading}>
      {(person) =>
        settings.ARTWORK === 'true' ? (
          <ArtworkForm email={person.email} />
        ) : (
          <EmptyState title="Artwork requests are closed." text="Our designers aren't taking requests right now." />
        )
      }
    </SubscriberPage>
  )
}

interface ArtworkRequest {
  youtube_url: string
  message: string
  discord: string
}

/** Returns the action that sends an artwork request. A retry with the same texts has the same id, so that the server stores the request once. */
function useArtworkRequest(): AccountAction<[ArtworkRequest]> {
  const [sentRequest] = useState({ id: createUniqueId(), texts: '' })
  return useAccountAction(async (api, request) => {
    const requestJson = JSON.stringify(request)
    if (sentRequest.texts !== requestJson) Object.assign(sentRequest, { id: createUniqueId(), texts: requestJson })
    await api.call('POST /contact/request', { topic: 'artwork-request', ...request, change_id: sentRequest.id })
    sentRequest.texts = ''
  })
}

const artworkFields = ['youtube_url', 'message', 'discord'] as const satisfies (keyof ArtworkRequest)[]
type ArtworkField = (typeof artworkFields)[number]

function describeProblem(field: ArtworkField, fieldText: string): string | undefined {
  if (isBlankText(fieldText)) return 'Please fill in this field.'
  const isUrl = /^https?:\/\/[^\s/][^\s/.]*\.\S+$/i.test(fieldText) && URL.canParse(fieldText)
  return field === 'youtube_url' && !isUrl ? 'Please enter a web address that starts with https://.' : undefined
}

function ArtworkForm({ email }: { email: string }) {
  const sendRequest = useArtworkRequest()
  const artworkRequests = useAccountData('GET /contact/artwork', {})
  const [fieldProblem, setProblem] = useState<{ field: ArtworkField; text: string }>()
  const createFieldProps = (fieldName: ArtworkField) => ({
    name: fieldName,
    required: true,
    maxLength: contactMaxLengths[fieldName],
    problem: fieldProblem?.field === fieldName ? fieldProblem.text : undefined,
    onInput: () => setProblem(undefined),
  })
  return (
    <>
      <p className={typeStyles.lead}>
        Our designers draw a banner or a profile picture for your channel. We reply to <span className={formStyles.address}>{email}</span>.
      </p>
      <AccountForm
        label="Artwork request"
        action={sendRequest}
        submitLabel="Send"
        successText="Your request has been sent!"
        onSubmit={async (formElement) => {
          const formData = new FormData(formElement)
          const request = {
            youtube_url: toWebAddress(readFieldText(formData, 'youtube_url'), 'youtube'),
            message: readFieldText(formData, 'message').trim(),
            discord: readFieldText(formData, 'discord').trim(),
          }
          const urlControl = formElement.elements.namedItem('youtube_url')
          if (urlControl instanceof HTMLInputElement) urlControl.value = request.youtube_url
          const wrongField = artworkFields.find((field) => describeProblem(field, request[field]) !== undefined)
          const problemText = wrongField && describeProblem(wrongField, request[wrongField])
          setProblem(wrongField && problemText !== undefined ? { field: wrongField, text: problemText } : undefined)
          if (wrongField) {
            const control = formElement.elements.namedItem(wrongField)
            if (control instanceof HTMLElement) control.focus()
            return false
          }
          const isRequestSent = await sendRequest.run(request)
          if (isRequestSent) {
            formElement.reset()
            artworkRequests.reload()
          }
          return isRequestSent
        }}
      >
        <Field label="Channel URL" inputMode="url" autoComplete="off" placeholder="@name or https://" {...createFieldProps('youtube_url')}>
          Your handle or your channel's address.
        </Field>
        <TextAreaField label="What do you want?" rows={5} {...createFieldProps('message')}>
          A banner, a profile picture or both; colors and pictures you like.
        </TextAreaField>
        <Field label="Discord name" autoComplete="off" autoCapitalize="none" spellCheck={false} {...createFieldProps('discord')}>
          Where our designers can ask if something is unclear.
        </Field>
      </AccountForm>
      <section aria-labelledby="requests-heading">
        <SectionHeading id="requests-heading" size="small">
          Your requests
        </SectionHeading>
        <LoadedContent
          of={artworkRequests}
          offlineTitle="Your requests need a connection."
          failureTitle="Your requests could not be loaded."
          placeholderRowCount={1}
        >
          {(sent) => <RequestList requests={sent} />}
        </LoadedContent>
      </section>
    </>
  )
}

function RequestList({ requests }: { requests: readonly SentMessage[] }) {
  if (requests.length === 0) return <p className={typeStyles.muted}>You have not asked for artwork yet.</p>
  return (
    <ul className={listStyles.list}>
      {requests.map(({ created, message, youtube_url }) => (
        <li key={`${created} ${message}`}>
          <span className={listStyles.file}>
            <span dir="auto">{message}</span>
            <span className={typeStyles.muted}>
              {formatLongDate(created)}, {youtube_url}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
