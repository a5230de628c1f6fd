import {
  type ContactField,
  type ContactProblem,
  contactFields,
  type FormTopic,
  findContactProblems,
} from '../../../contract/contact-rules.ts'
import type { ContactTexts } from './use-contact.ts'

export const HONEYPOT_NAME = 'subject'

const textNames = ['email', 'discord', 'youtube_url', 'message'] as const
const emptyTexts: ContactTexts = { email: '', discord: '', youtube_url: '', message: '', remember: false }

const controlOf = (form: HTMLFormElement, name: string) => {
  const control = form.elements.namedItem(name)
  return control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement ? control : undefined
}
const isChecked = (form: HTMLFormElement) => {
  const control = controlOf(form, 'remember')
  return control instanceof HTMLInputElement && control.checked
}
const textOf = (form: HTMLFormElement, name: string) => controlOf(form, name)?.value.trim() ?? ''

export const readHoneypot = (form: HTMLFormElement): string => textOf(form, HONEYPOT_NAME)

/** Returns the texts of the fields, trimmed. */
export const readFieldTexts = (form: HTMLFormElement): ContactTexts => ({
  email: textOf(form, 'email'),
  discord: textOf(form, 'discord'),
  youtube_url: textOf(form, 'youtube_url'),
  message: textOf(form, 'message'),
  remember: isChecked(form),
})

export function writeFieldTexts(form: HTMLFormElement, texts: ContactTexts): void {
  for (const name of textNames) {
    const control = controlOf(form, name)
    if (control) control.value = texts[name]
  }
  const reminder = controlOf(form, 'remember')
  if (reminder instanceof HTMLInputElement) reminder.checked = texts.remember
}

export function fillEmptyFields(form: HTMLFormElement, texts: Partial<ContactTexts>): void {
  for (const name of textNames) {
    const control = controlOf(form, name)
    if (control?.value === '') control.value = texts[name] ?? ''
  }
  const reminder = controlOf(form, 'remember')
  if (reminder instanceof HTMLInputElement && texts.remember === true) reminder.checked = true
}

export function clearFieldTexts(form: HTMLFormElement): void {
  writeFieldTexts(form, emptyTexts)
  const honeypot = controlOf(form, HONEYPOT_NAME)
  if (honeypot) honeypot.value = ''
}

export const focusField = (form: HTMLFormElement, name: string) => controlOf(form, name)?.focus()

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
export function findFieldErrors(topic: FormTopic, { remember, ...texts }: ContactTexts): Partial<Record<ContactField, string>> {
  const problems = findContactProblems({ ...texts, topic, remember: remember ? 'Yes' : 'No' })
  return Object.fromEntries(
    contactFields.flatMap((field) => {
      const problem = problems[field]
      return problem === undefined ? [] : [[field, problemTexts[field][problem]]]
    }),
  )
}
