import {
  type ContactField,
  type ContactProblem,
  contactFields,
  type FormTopic,
  findContactProblems,
} from '../../../contract/contact-rules.ts'
import type { ContactTexts } from './use-contact.ts'

export const HONEYPOT_NAME = 'subject'

const textFieldNames = ['email', 'discord', 'youtube_url', 'message'] as const
const emptyTexts: ContactTexts = { email: '', discord: '', youtube_url: '', message: '', remember: false }

const findControl = (form: HTMLFormElement, fieldName: string) => {
  const control = form.elements.namedItem(fieldName)
  return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement ? control : undefined
}
const isChecked = (form: HTMLFormElement) => {
  const control = findControl(form, 'remember')
  return control instanceof HTMLInputElement && control.checked
}
const readFieldText = (form: HTMLFormElement, name: string) => findControl(form, name)?.value.trim() ?? ''

export const readHoneypot = (form: HTMLFormElement): string => readFieldText(form, HONEYPOT_NAME)

/** Returns the texts of the fields, trimmed. */
export const readFieldTexts = (form: HTMLFormElement): ContactTexts => ({
  email: readFieldText(form, 'email'),
  discord: readFieldText(form, 'discord'),
  youtube_url: readFieldText(form, 'youtube_url'),
  message: readFieldText(form, 'message'),
  remember: isChecked(form),
})

export function writeFieldTexts(form: HTMLFormElement, contactTexts: ContactTexts): void {
  for (const name of textFieldNames) {
    const control = findControl(form, name)
    if (control) control.value = contactTexts[name]
  }
  const reminder = findControl(form, 'remember')
  if (reminder instanceof HTMLInputElement) reminder.checked = contactTexts.remember
}

export function fillEmptyFields(form: HTMLFormElement, contactTexts: Partial<ContactTexts>): void {
  for (const name of textFieldNames) {
    const control = findControl(form, name)
    if (control?.value === '') control.value = contactTexts[name] ?? ''
  }
  const reminder = findControl(form, 'remember')
  if (reminder instanceof HTMLInputElement && contactTexts.remember === true) reminder.checked = true
}

export function clearFieldTexts(form: HTMLFormElement): void {
  writeFieldTexts(form, emptyTexts)
  const honeypot = findControl(form, HONEYPOT_NAME)
  if (honeypot) honeypot.value = ''
}

export const focusField = (form: HTMLFormElement, name: string) => findControl(form, name)?.focus()

/** Whether a field has a text, other than the email address that the page fills in. */
export const hasTypedTexts = ({ email, ...others }: ContactTexts, filledEmail: string): boolean =>
  email !== filledEmail || Object.values(others).some((value) => value !== '' && value !== false)

const problemTexts: Record<ContactField, Record<ContactProblem, string>> = {
  email: { missing: 'Please enter your email address.', invalid: 'Please enter a complete email address, such as name@example.com.' },
  discord: { missing: 'Please enter your Discord name.', invalid: 'Please enter your Discord name without hidden characters.' },
  youtube_url: { missing: 'Please enter a YouTube URL.', invalid: 'Please enter a complete URL that starts with https://' },
  message: { missing: 'Please write a message.', invalid: 'Please write a message.' },
  remember: { missing: 'Please confirm the reminder.', invalid: 'Please confirm the reminder.' },
}

/** Returns the error messages of the invalid fields. */
export function findFieldErrors(topic: FormTopic, { remember, ...contactTexts }: ContactTexts): Partial<Record<ContactField, string>> {
  const contactProblems = findContactProblems({ ...contactTexts, topic, remember: remember ? 'Yes' : 'No' })
  return Object.fromEntries(
    contactFields.flatMap((contactField) => {
      const problem = contactProblems[contactField]
      return problem === undefined ? [] : [[contactField, problemTexts[contactField][problem]]]
    }),
  )
}
