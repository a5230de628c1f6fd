import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import type { FormTopic } from '../../../contract/contact-rules.ts'
import { type ContactField, contactFields, contactMaxLengths } from '../../../contract/contact-rules.ts'
import { useSignedInAccount } from '../../hooks/identity.ts'
import { isOnDisk, useDatabaseHealth, useDeviceOffline, useServerUnreachable } from '../../hooks/offline.ts'
import { useBusyWhile } from '../../hooks/update.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { CheckboxField, SelectField, TextAreaField } from '../../ui/form-controls.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import styles from './contact-page.module.css'
import {
  clearFieldTexts,
  fillEmptyFields,
  findFieldErrors,
  focusField,
  HONEYPOT_NAME,
  hasTypedTexts,
  readFieldTexts,
  readHoneypot,
  writeFieldTexts,
} from './form-fields.ts'
import { topicOptions, topicTexts } from './topic-texts.ts'
import { UnsentRequests } from './unsent-requests.tsx'
import {
  type ContactOutboxRow,
  type ContactOutcome,
  toContactTexts,
  useContactDraft,
  useSendContactRequest,
  useUnsentContactRequests,
} from './use-contact.ts'

interface ContactFormProps {
  topic: FormTopic
  onTopic: (topic: FormTopic) => void
  aside: ReactNode
}

/** The outcome of the last attempt. `count` is incremented, so that a repeated message is announced again. */
interface SendAttempt {
  id: string
  outcome: ContactOutcome
  count: number
}

type FieldProblems = Partial<Record<ContactField, string | undefined>>

/** The contact form, and above it the unsent requests. */
export function ContactForm({ topic, onTopic, aside }: ContactFormProps) {
  const account = useSignedInAccount()
  const [uid, accountEmail] = [account?.uid ?? '', account?.email ?? '']
  const draft = useContactDraft()
  const sendRequest = useSendContactRequest()
  const form = useRef<HTMLFormElement>(null)
  const previousUid = useRef('')
  const [hasTypedText, setHasTypedText] = useState(false)
  const [problemByField, setProblems] = useState<FieldProblems>({})
  const [sendingRequestId, setSendingId] = useState<string>()
  const [sendAttempt, setAttempt] = useState<SendAttempt>()
  const [rowToEdit, setRowToEdit] = useState<ContactOutboxRow>()
  // A request whose outcome the form has already shown is ignored here, although it stays in the outbox for a moment.
  const settledRequestId = sendAttempt?.outcome.state === 'waiting' ? undefined : sendAttempt?.id
  const unsentRequests = useUnsentContactRequests(sendingRequestId ?? settledRequestId)
  useBusyWhile(hasTypedText, 'form')

  // Texts that belong to another account are not shown. Texts that were typed before hydration stay in the fields.
  useLayoutEffect(() => {
    if (!form.current) return
    if (previousUid.current !== '' && previousUid.current !== uid) {
      clearFieldTexts(form.current)
      draft.clear()
    }
    previousUid.current = uid
    const typedTexts = readFieldTexts(form.current)
    fillEmptyFields(form.current, { ...draft.restore(uid) })
    fillEmptyFields(form.current, { email: accountEmail })
    if (hasTypedTexts(typedTexts, '')) draft.save(uid, readFieldTexts(form.current))
    setHasTypedText(hasTypedTexts(readFieldTexts(form.current), accountEmail))
  }, [draft, uid, accountEmail])

  const onInput = (event: React.FormEvent<HTMLFormElement>) => {
    const texts = readFieldTexts(event.currentTarget)
    draft.save(uid, texts)
    setHasTypedText(hasTypedTexts(texts, accountEmail))
    if (sendAttempt?.outcome.state === 'sent') setAttempt(undefined)
    const { target } = event
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      setProblems((shownProblems) => ({ ...shownProblems, [target.name]: undefined }))
  }

  const submitForm = async (formElement: HTMLFormElement) => {
    const texts = readFieldTexts(formElement)
    const foundProblems = findFieldErrors(topic, texts)
    setProblems(foundProblems)
    setAttempt(undefined)
    const firstWrongField = contactFields.find((field) => foundProblems[field] !== undefined)
    if (firstWrongField) return focusField(formElement, firstWrongField)
    const { changeId, openedAtMs } = draft
    // Once the request is in the outbox, a reload must not fill it into the form again.
    let expectedChangeId = changeId
    const onStored = () => {
      draft.clear()
      expectedChangeId = draft.changeId
    }
    setSendingId(changeId)
    const sendOutcome = await sendRequest({ changeId, openedAtMs, topic, texts, honeypot: readHoneypot(formElement), onStored })
    setSendingId(undefined)
    setAttempt((lastAttempt) => ({ id: changeId, outcome: sendOutcome, count: (lastAttempt?.count ?? 0) + 1 }))
    if (sendOutcome.state === 'refused') {
      const refusedField = contactFields.find((field) => sendOutcome.message.startsWith(field))
      if (refusedField) focusField(formElement, refusedField)
    }
    // If the texts were changed while the request was sent, they belong to a new request and stay in the form.
    if (draft.changeId !== expectedChangeId) return
    if (sendOutcome.state === 'refused') draft.resume(uid, texts, changeId, performance.now() - openedAtMs)
    if (sendOutcome.state === 'sent' || sendOutcome.state === 'waiting') {
      clearFieldTexts(formElement)
      fillEmptyFields(formElement, { email: accountEmail })
      setHasTypedText(false)
    }
  }

  const editRequest = async (row: ContactOutboxRow) => {
    setRowToEdit(undefined)
    if (!form.current) return
    const texts = toContactTexts(row)
    writeFieldTexts(form.current, texts)
    draft.resume(uid, texts, row.id, row.body.open_ms ?? 0)
    setHasTypedText(true)
    setProblems({})
    setAttempt(undefined)
    onTopic(topicOptions.find(({ value }) => value === row.body.topic)?.value ?? topic)
    focusField(form.current, 'message')
    await unsentRequests.discard(row.id)
  }

  return (
    <>
      <UnsentRequests
        unsent={unsentRequests}
        // After a new attempt, its outcome is shown instead of the report about earlier requests.
        isReportShown={sendAttempt === undefined || sendAttempt.outcome.state === 'waiting'}
        onEdit={(row) => (hasTypedText ? setRowToEdit(row) : void editRequest(row))}
      />
      <form
        ref={form}
        method="post"
        noValidate
        aria-label="Contact"
        className={styles.form}
        onInput={onInput}
        onSubmit={(event) => {
          event.preventDefault()
          if (sendingRequestId === undefined) void submitForm(event.currentTarget)
        }}
      >
        <TopicField
          topic={topic}
          onTopic={(newTopic) => {
            setProblems({})
            onTopic(newTopic)
          }}
        />
        <div className={styles.fields}>
          <TextFields topic={topic} problems={problemByField} />
          <div className={styles.send}>
            {sendAttempt && (
              <SendOutcome
                key={sendAttempt.count}
                outcome={sendAttempt.outcome}
                isWaiting={unsentRequests.rows.some(({ id, state }) => id === sendAttempt.id && state === 'waiting')}
              />
            )}
            <Button type="submit" variant="primary" size="big" busy={sendingRequestId !== undefined}>
              Send
            </Button>
          </div>
        </div>
        {aside}
      </form>
      <ReplaceDialog row={rowToEdit} onClose={() => setRowToEdit(undefined)} onReplace={(row) => void editRequest(row)} />
    </>
  )
}

function TopicField({ topic, onTopic }: Pick<ContactFormProps, 'topic' | 'onTopic'>) {
  return (
    <div className={styles.topic}>
      <SelectField label="Topic" name="topic" value={topic} options={topicOptions} onChange={onTopic}>
        <span className={styles.guide}>{topicTexts[topic].text}</span>
      </SelectField>
    </div>
  )
}

function TextFields({ topic, problems }: { topic: FormTopic; problems: FieldProblems }) {
  const topicGuide = topicTexts[topic]
  const isSongRequest = topic === 'request-song'
  const createFieldProps = (fieldName: Exclude<ContactField, 'remember'>) => ({
    name: fieldName,
    maxLength: contactMaxLengths[fieldName],
    problem: problems[fieldName],
  })
  return (
    <>
      <div className={styles.pair}>
        <Field label="Email" type="email" autoComplete="email" required {...createFieldProps('email')}>
          We reply here.
        </Field>
        <Field label="Discord" autoComplete="off" autoCapitalize="none" spellCheck={false} required {...createFieldProps('discord')}>
          Your Discord username.
        </Field>
      </div>
      <Field label="YouTube URL" type="url" autoComplete="off" placeholder="https://" required {...createFieldProps('youtube_url')}>
        {topicGuide.urlHint}
      </Field>
      <TextAreaField
        label="Message"
        labelAside={isSongRequest && <span className={typeStyles.legend}>Optional</span>}
        rows={6}
        required={!isSongRequest}
        {...createFieldProps('message')}
      >
        {topicGuide.messageHint}
      </TextAreaField>
      <CheckboxField name="remember" required={isSongRequest} hidden={!isSongRequest} problem={problems.remember}>
        I searched first: this song isn't on the site yet.
      </CheckboxField>
      {/* An invisible field, by which the server recognises bots: only they fill it in. */}
      <div className={typeStyles.hidden} aria-hidden="true">
        <input type="text" name={HONEYPOT_NAME} tabIndex={-1} autoComplete="off" aria-label="Subject" />
      </div>
    </>
  )
}

interface ReplaceDialogProps {
  /** The request to edit; undefined while the dialog is closed. */
  row: ContactOutboxRow | undefined
  onClose: () => void
  onReplace: (row: ContactOutboxRow) => void
}

/** A dialog that asks for confirmation before an earlier request replaces the texts in the form. */
function ReplaceDialog({ row, onClose, onReplace }: ReplaceDialogProps) {
  return (
    <Dialog open={row !== undefined} onClose={onClose} title="Replace what you have typed?">
      <p className={typeStyles.muted}>The earlier request replaces the text in the form, which hasn't been sent.</p>
      <div className={styles.choices}>
        <Button variant="primary" onClick={onClose}>
          Keep my text
        </Button>
        <Button onClick={() => row && onReplace(row)}>Replace it</Button>
      </div>
    </Dialog>
  )
}

interface SendOutcomeProps {
  outcome: ContactOutcome
  /** Whether the request still waits in the outbox. */
  isWaiting: boolean
}

/** Reports the outcome of the last attempt to send. */
function SendOutcome({ outcome, isWaiting }: SendOutcomeProps) {
  const isDeviceOffline = useDeviceOffline()
  const isServerUnreachable = useServerUnreachable()
  const isRequestStored = isOnDisk(useDatabaseHealth())
  if (outcome.state === 'sent') return <Notice kind="good">Your request has been sent successfully!</Notice>
  if (outcome.state === 'refused') return <Notice kind="bad">{outcome.message || 'The site did not accept your request.'}</Notice>
  if (outcome.state === 'unstorable')
    return <Notice kind="bad">Your request could neither be sent nor kept on this device. Your text is still here: try again.</Notice>
  // The outcome of a request that waited in the outbox is reported above the form.
  if (!isWaiting) return null
  return (
    <Notice icon="offline">
      {isDeviceOffline && 'You are offline. '}
      {isServerUnreachable && "The site isn't responding. "}
      {isRequestStored
        ? 'Your request is kept on this device and will be sent when the site is open here with a connection.'
        : 'Your request is kept while this page is open and will be sent with the next connection.'}
    </Notice>
  )
}
