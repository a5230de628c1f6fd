import { sessionStore } from '../../platform/web-storage.ts'
import { createUniqueId } from '../../primitives/unique-id.ts'

export interface ContactTexts {
  email: string
  discord: string
  youtube_url: string
  message: string
  /** Whether the checkbox below the form is checked, with which a person confirms having read the reminder. */
  remember: boolean
}

/** The key in sessionStorage, which belongs to one tab. */
const DRAFT_KEY = 'contact-draft'

interface StoredDraft {
  uid: string
  changeId: string
  openMs: number
  texts: ContactTexts
}

const isContactTexts = (storedValue: unknown): storedValue is ContactTexts => {
  const { email, discord, youtube_url, message, remember }: Partial<Record<keyof ContactTexts, unknown>> = Object(storedValue)
  return [email, discord, youtube_url, message].every((text) => typeof text === 'string') && typeof remember === 'boolean'
}

/** Returns the stored draft; undefined if there is none, if it is invalid, or if the browser denies access. */
function readDraft(): StoredDraft | undefined {
  // Checks each member, because the stored value can be anything.
  const storedDraft: Partial<Record<keyof StoredDraft, unknown>> = Object(sessionStore.readJson(DRAFT_KEY))
  const { uid, changeId, openMs, texts } = storedDraft
  const isValid = typeof uid === 'string' && typeof changeId === 'string' && typeof openMs === 'number' && isContactTexts(texts)
  return isValid ? { uid, changeId, openMs, texts } : undefined
}

/** The request in this tab's form. It is stored in sessionStorage, so that it survives a reload, until it is sent or the tab is closed. */
export function createContactDraft() {
  let changeId = createUniqueId()
  let openedAtMs = performance.now()
  // If the browser denies access or has no space, the texts last as long as the page.
  const storeDraft = (uid: string, texts: ContactTexts) =>
    sessionStore.write(DRAFT_KEY, JSON.stringify({ uid, changeId, openMs: performance.now() - openedAtMs, texts } satisfies StoredDraft))
  function continueDraft(draftId: string, openDurationMs: number) {
    changeId = draftId
    openedAtMs = performance.now() - openDurationMs
  }
  return {
    /**
     * The id of the request. If the request is sent twice, the server recognizes the id and stores it once. A change of the texts creates a
     * new id.
     */
    get changeId() {
      return changeId
    },
    /** The time at which the form was opened, on the clock of `performance.now()`. Time before a reload of the page counts, too. */
    get openedAtMs() {
      return openedAtMs
    },
    /** Returns the stored texts if they belong to `uid` or to no account, and continues with the stored id and time. */
    restore(uid: string) {
      const storedDraft = readDraft()
      if (storedDraft === undefined || (storedDraft.uid !== '' && storedDraft.uid !== uid)) return undefined
      continueDraft(storedDraft.changeId, storedDraft.openMs)
      return storedDraft.texts
    },
    /** Stores changed texts. `uid` is empty if nobody is signed in. */
    save(uid: string, contactTexts: ContactTexts) {
      changeId = createUniqueId()
      storeDraft(uid, contactTexts)
    },
    /** Fills the draft with the texts of an earlier request, and continues with that request's id and time. */
    resume(uid: string, contactTexts: ContactTexts, changeId: string, openDurationMs: number) {
      continueDraft(changeId, openDurationMs)
      storeDraft(uid, contactTexts)
    },
    /** Removes the stored texts and begins a new request. */
    clear() {
      continueDraft(createUniqueId(), 0)
      sessionStore.write(DRAFT_KEY, undefined)
    },
  }
}

export type ContactDraft = ReturnType<typeof createContactDraft>
