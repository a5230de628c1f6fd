import { useCallback, useEffect, useRef, useState } from 'react'
import { FORM_OPEN_MIN_MS, type FormTopic, formTopics } from '../../../contract/contact-rules.ts'
import { ANONYMOUS_UID, type EndpointOutboxRow, type OutboxRow } from '../../data/local-database.ts'
import type { ChangeOutcome } from '../../data/outbox.ts'
import { useOfflineMutations } from '../../hooks/offline-mutations.ts'
import { useOutbox } from '../../hooks/outbox.ts'
import { useServices } from '../../hooks/services.tsx'
import { startTimeout } from '../../primitives/scope.ts'
import { type ContactDraft, type ContactTexts, createContactDraft } from './contact-draft.ts'

export type { ContactDraft, ContactTexts } from './contact-draft.ts'

/** A request in the outbox. */
export type ContactOutboxRow = EndpointOutboxRow<'POST /contact/request'>

/** The outcome of sending the form. `unstorable`: the request could neither be sent nor stored. */
export type ContactOutcome = ChangeOutcome | { state: 'unstorable' }

/** Returns the request in this tab's form. */
export const useContactDraft = (): ContactDraft => useState(createContactDraft)[0]

interface NewContactRequest {
  changeId: string
  /** The time at which the form was opened, on the clock of `performance.now()`. */
  openedAtMs: number
  topic: FormTopic
  texts: ContactTexts
  /** The text of the invisible field, which only bots fill in. */
  honeypot: string
  /** Called once the request is stored on this device. */
  onStored: () => void
}

const waitMs = (delayMs: number) => new Promise<void>((resolve) => startTimeout(resolve, delayMs))

/**
 * Returns the function that sends a request of the contact form. It waits until the form was open for the minimum time, so that a person who
 * fills it in fast is not mistaken for a bot. The request is then stored on this device before it is sent, so that a reload loses nothing. Never rejects.
 */
export function useSendContactRequest(): (request: NewContactRequest) => Promise<ContactOutcome> {
  const { identity, offlineMutations } = useServices()
  return useCallback(
    async ({ changeId, openedAtMs, topic, texts, honeypot, onStored }) => {
      await waitMs(FORM_OPEN_MIN_MS - (performance.now() - openedAtMs))
      const { remember, ...otherTexts } = texts
      const requestBody = {
        ...otherTexts,
        topic,
        remember: topic === 'request-song' && remember ? ('Yes' as const) : ('No' as const),
        honeypot,
        open_ms: Math.ceil(performance.now() - openedAtMs),
        change_id: changeId,
      }
      const { outbox } = (await offlineMutations().catch(() => undefined)) ?? {}
      try {
        if (!outbox) return { state: 'unstorable' }
        await outbox.add({
          id: changeId,
          uid: identity.getSnapshot()?.uid ?? ANONYMOUS_UID,
          call: 'POST /contact/request',
          body: requestBody,
        })
      } catch {
        return { state: 'unstorable' }
      }
      onStored()
      return outbox.outcomeOf(changeId).catch(() => ({ state: 'waiting' }))
    },
    [identity, offlineMutations],
  )
}

const isFormRow = (row: OutboxRow): row is ContactOutboxRow =>
  row.call === 'POST /contact/request' && formTopics.some((topic) => topic === row.body.topic)

export interface UnsentContactRequests {
  /** The requests of the form in the outbox, waiting or refused, oldest first. */
  rows: readonly ContactOutboxRow[]
  /** How many contact requests this tab or another tab has sent since the page was opened. */
  sentCount: number
  /** Tries to send the waiting requests now. Never rejects. */
  send(): Promise<void>
  discard(id: string): Promise<void>
}

/**
 * Returns the unsent requests of the signed-in account, and the requests that were written while no account was signed in. The request with the id
 * `formId` is left out, because the form shows its outcome or is waiting for it.
 */
export function useUnsentContactRequests(formId: string | undefined): UnsentContactRequests {
  const { rows: allRows, send, discard } = useOutbox()
  const outbox = useOfflineMutations({ allowAnonymous: true })?.outbox
  const formRows = allRows.filter(isFormRow).filter(({ id }) => id !== formId)
  const [sentCount, setSentCount] = useState(0)
  const shownRequestIds = useRef(new Set<string>())
  useEffect(() => {
    for (const { id } of formRows) shownRequestIds.current.add(id)
  })
  useEffect(
    () =>
      outbox?.onSent((id) => {
        if (shownRequestIds.current.delete(id)) setSentCount((count) => count + 1)
      }),
    [outbox],
  )
  return { rows: formRows, sentCount, send, discard: (id) => discard([id]) }
}

/** Returns the texts of a stored request, for editing. */
export const toContactTexts = ({ body }: ContactOutboxRow): ContactTexts => ({
  email: body.email ?? '',
  discord: body.discord ?? '',
  youtube_url: body.youtube_url ?? '',
  message: body.message ?? '',
  remember: body.remember === 'Yes',
})
