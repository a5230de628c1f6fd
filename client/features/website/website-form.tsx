import { type ReactNode, useEffect, useRef, useState } from 'react'
import { findChannelIds } from '../../../contract/channel.ts'
import type { Website } from '../../../contract/website.ts'
import {
  type AccentColor,
  accentColors,
  findWebsiteProblems,
  SOCIAL_URL_MAX_LENGTH,
  type SocialField,
  socialFields,
  socialLabels,
  toWebAddress,
  WEBSITE_LINKS_MAX,
  WEBSITE_SONGS_MAX,
  type WebsiteEntry,
  type WebsiteField,
  type WebsiteProblem,
  type WebsiteTextField,
  type WebsiteTexts,
  websiteLabels,
  websiteMaxLengths,
} from '../../../contract/website-rules.ts'
import { AccountForm } from '../../components/account-form.tsx'
import { TransientMessage } from '../../components/transient-message.tsx'
import { describeCallError } from '../../hooks/account-data.ts'
import { readFieldText } from '../../primitives/field-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { CheckboxField, SelectField, TextAreaField } from '../../ui/form-controls.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { EntryList } from './entry-list.tsx'
import { useListChannelVideos, useSaveWebsite } from './use-website.ts'
import {
  createEntryRow,
  type EntryRow,
  isSameDraft,
  readWebsiteDraft,
  storeWebsiteDraft,
  toWebsiteDraft,
  type WebsiteDraft,
  websiteFieldNames,
} from './website-draft.ts'

const hintByField: Partial<Record<WebsiteField, string>> = {
  form_mail: 'Shown as a link on your site. Leave it empty to show none.',
  banner_url: 'The https:// address of a wide picture. Without one, we draw a banner.',
  youtube: "Your handle or your channel's address. If it has your channel id, we find your songs for you.",
  discord: 'An invite link or its code.',
  spotify: 'Your artist page.',
}

const inputTypeByTextField: Partial<Record<WebsiteTextField, 'email' | 'url'>> = { form_mail: 'email', banner_url: 'url' }

const accentLabels: Record<AccentColor, string> = {
  '': 'As the site',
  coral: 'Coral',
  gold: 'Gold',
  mint: 'Mint',
  sky: 'Sky',
  violet: 'Violet',
}

/** Returns the texts of the form, without white space around them. */
function readTexts(form: HTMLFormElement): WebsiteTexts {
  const formData = new FormData(form)
  // The cast is safe, because the names are the members of the type.
  const texts = Object.fromEntries(websiteFieldNames.map((name) => [name, readFieldText(formData, name).trim()])) as WebsiteTexts
  return { ...texts, domain_name: texts.domain_name.toLowerCase() }
}

/** Returns the draft as it is saved: texts are trimmed, and account names and host names are replaced by their full web addresses. */
function toSavedForm(draft: WebsiteDraft): WebsiteDraft {
  const draftTexts = { ...draft.texts }
  for (const field of socialFields) draftTexts[field] = toWebAddress(draftTexts[field], field)
  const trimRows = (rows: readonly EntryRow[]) => rows.map((row) => ({ ...row, title: row.title.trim(), url: toWebAddress(row.url) }))
  return { ...draft, texts: draftTexts, links: trimRows(draft.links), songs: trimRows(draft.songs) }
}

/** Shows the texts of a draft in the uncontrolled fields of the form. */
function writeTexts(form: HTMLFormElement, websiteTexts: WebsiteTexts): void {
  for (const fieldName of websiteFieldNames) {
    const control = form.elements.namedItem(fieldName)
    if ((control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement) && control.value.trim() !== websiteTexts[fieldName])
      control.value = websiteTexts[fieldName]
  }
}

interface WebsiteFormProps {
  website: Website
  uid: string
  /** Returns a hint that contains the URL of a website with this domain name. */
  renderAddressHint: (name: string) => ReactNode
  onDraft: (draft: WebsiteDraft) => void
  onSaved: () => void
}

/** The form of a website. Unsaved values are stored in this tab until they are saved or discarded. */
export function WebsiteForm(props: WebsiteFormProps) {
  const [resetCount, setResetCount] = useState(0)
  return (
    <FormFields
      key={resetCount}
      {...props}
      onDiscard={() => {
        storeWebsiteDraft(props.uid, undefined)
        setResetCount((count) => count + 1)
      }}
    />
  )
}

function FormFields({ website, uid, renderAddressHint, onDraft, onSaved, onDiscard }: WebsiteFormProps & { onDiscard: () => void }) {
  const saveWebsite = useSaveWebsite()
  const [initialDraft] = useState(() => readWebsiteDraft(uid) ?? toWebsiteDraft(website))
  const [websiteDraft, setDraft] = useState(initialDraft)
  const [problems, setProblems] = useState<readonly WebsiteProblem[]>([])
  const isDraftChanged = !isSameDraft(websiteDraft, toWebsiteDraft(website))
  useEffect(() => onDraft(websiteDraft), [websiteDraft, onDraft])
  // The response with the videos may arrive after the form was changed or discarded, so the videos are added to the current draft.
  const latestDraft = useRef<WebsiteDraft | undefined>(undefined)
  useEffect(() => {
    latestDraft.current = initialDraft
    return () => {
      latestDraft.current = undefined
    }
  }, [initialDraft])
  const changeDraft = (changedFields: Partial<WebsiteDraft>) => {
    if (latestDraft.current === undefined) return
    latestDraft.current = { ...latestDraft.current, ...changedFields }
    setDraft(latestDraft.current)
    storeWebsiteDraft(uid, latestDraft.current)
  }
  const findProblemText = (input: string) => problems.find((problem) => problem.input === input)?.text
  const clearProblem = (input: string) => setProblems((current) => current.filter((problem) => problem.input !== input))
  const createFieldProps = (fieldName: WebsiteField, maxLength: number) => ({
    name: fieldName,
    label: websiteLabels[fieldName],
    maxLength,
    defaultValue: initialDraft.texts[fieldName],
    problem: findProblemText(fieldName),
    onInput: (event: React.InputEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      clearProblem(fieldName)
      if (event.currentTarget.form) changeDraft({ texts: readTexts(event.currentTarget.form) })
    },
  })
  const renderTextField = (fieldName: WebsiteTextField, isRequired = false) => (
    <Field
      {...createFieldProps(fieldName, websiteMaxLengths[fieldName])}
      type={inputTypeByTextField[fieldName] ?? 'text'}
      required={isRequired}
      autoComplete={fieldName === 'form_mail' ? 'email' : 'off'}
    >
      {fieldName === 'domain_name' ? renderAddressHint(websiteDraft.texts.domain_name) : hintByField[fieldName]}
    </Field>
  )
  const renderSocialField = (fieldName: SocialField) => (
    <Field
      key={fieldName}
      {...createFieldProps(fieldName, SOCIAL_URL_MAX_LENGTH)}
      label={socialLabels[fieldName]}
      inputMode="url"
      required={fieldName === 'youtube'}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder="@name or https://"
      onBlur={({ currentTarget }) => {
        const webAddress = toWebAddress(currentTarget.value, fieldName)
        if (webAddress === currentTarget.value || !currentTarget.form) return
        currentTarget.value = webAddress
        changeDraft({ texts: readTexts(currentTarget.form) })
      }}
    >
      {hintByField[fieldName]}
    </Field>
  )

  async function submitForm(form: HTMLFormElement): Promise<boolean> {
    const savedForm = toSavedForm({ ...websiteDraft, texts: readTexts(form) })
    writeTexts(form, savedForm.texts)
    changeDraft(savedForm)
    const foundProblems = findWebsiteProblems(savedForm.texts, savedForm, website.domain_name)
    setProblems(foundProblems)
    if (foundProblems[0]) {
      const control = form.elements.namedItem(foundProblems[0].input)
      if (control instanceof HTMLElement) control.focus()
      return false
    }
    // A link that was already saved keeps its id, so that its clicks are still counted together.
    const savedLinks = savedForm.links.map(({ id, title, url }) => {
      const knownId = id ?? website.links.find((link) => link.url === url)?.id
      return { title, url, ...(knownId !== undefined && { id: knownId }) }
    })
    const songs = savedForm.songs.map(({ title, url }) => ({ title, url }))
    const isWebsiteSaved = await saveWebsite.run({
      ...savedForm.texts,
      links: savedLinks,
      songs,
      accent: savedForm.accent,
      enabled: savedForm.enabled ? 'yes' : 'no',
    })
    if (isWebsiteSaved) {
      storeWebsiteDraft(uid, undefined)
      onSaved()
    }
    return isWebsiteSaved
  }

  return (
    <AccountForm
      label="Website"
      action={saveWebsite}
      submitLabel="Save"
      successText="Your website has been updated!"
      onSubmit={submitForm}
      pending={
        isDraftChanged && (
          <>
            <span>Unsaved changes</span>
            <Button variant="tertiary" onClick={onDiscard}>
              Discard
            </Button>
          </>
        )
      }
    >
      {problems.length > 1 && <Notice kind="bad">{problems.length} fields need a correction. They are marked below.</Notice>}
      {renderTextField('domain_name', true)}
      {renderTextField('name', true)}
      {renderTextField('subtitle')}
      {renderTextField('banner_url')}
      <SelectField
        label="Accent color"
        name="accent"
        value={websiteDraft.accent}
        options={accentColors.map((value) => ({ value, label: accentLabels[value] }))}
        onChange={(accent) => changeDraft({ accent })}
      />
      <TextAreaField {...createFieldProps('about_me', websiteMaxLengths.about_me)} rows={6} />
      <TextAreaField {...createFieldProps('social_text', websiteMaxLengths.social_text)} rows={3} />
      {renderTextField('form_mail')}
      <SectionHeading size="small">Own links</SectionHeading>
      <p className={typeStyles.muted}>A shop, your latest release, a form for requests: shown at the top of your site, in this order.</p>
      <EntryList
        listName="links"
        label="Link"
        addLabel="Add a link"
        rows={websiteDraft.links}
        maxCount={WEBSITE_LINKS_MAX}
        findProblem={findProblemText}
        toAddress={toWebAddress}
        onChange={(links) => {
          setProblems([])
          changeDraft({ links })
        }}
      />
      <SectionHeading size="small">Songs</SectionHeading>
      <SongsHint website={website} hasSongs={websiteDraft.songs.length > 0} />
      <EntryList
        listName="songs"
        label="Song"
        addLabel="Add a song"
        titleHint="Leave it empty to use the title from our catalogue."
        rows={websiteDraft.songs}
        maxCount={WEBSITE_SONGS_MAX}
        findProblem={findProblemText}
        toAddress={toWebAddress}
        onChange={(songs) => {
          setProblems([])
          changeDraft({ songs })
        }}
      />
      {website.lists_uploads && websiteDraft.songs.length < WEBSITE_SONGS_MAX && (
        <NewestVideos
          onUploadsListed={(uploads) => {
            setProblems([])
            const songs = latestDraft.current?.songs ?? []
            const newSongs = uploads.filter(({ url }) => !songs.some((song) => song.url === url)).map(createEntryRow)
            changeDraft({ songs: [...songs, ...newSongs].slice(0, WEBSITE_SONGS_MAX) })
          }}
        />
      )}
      <SectionHeading size="small">Links</SectionHeading>
      {socialFields.map(renderSocialField)}
      <CheckboxField name="enabled" isChecked={initialDraft.enabled} onChange={(enabled) => changeDraft({ enabled })}>
        Show my site to everyone
      </CheckboxField>
    </AccountForm>
  )
}

/** The button that adds the newest videos of the saved channel to the list of songs. */
function NewestVideos({ onUploadsListed }: { onUploadsListed: (uploads: readonly WebsiteEntry[]) => void }) {
  const [hasNoVideos, setHasNoVideos] = useState(false)
  const listVideos = useListChannelVideos((uploads) => {
    setHasNoVideos(uploads.length === 0)
    if (uploads.length > 0) onUploadsListed(uploads)
  })
  const error = listVideos.result?.error
  return (
    <>
      <Button variant="tertiary" busy={listVideos.busy} onClick={() => void listVideos.run()}>
        Add my newest videos
      </Button>
      {error && <TransientMessage key={listVideos.result?.count} kind="bad" text={describeCallError(error)} />}
      {hasNoVideos && <p className={typeStyles.muted}>We found no public videos. Save the address of your channel first.</p>}
    </>
  )
}

function SongsHint({ website: { channel_songs: channelSongCount, youtube }, hasSongs }: { website: Website; hasSongs: boolean }) {
  if (hasSongs)
    return <p className={typeStyles.muted}>Your songs come first, in this order. Other songs follow under a heading of their own.</p>
  if (youtube !== '' && findChannelIds(youtube).length === 0)
    return (
      <p className={typeStyles.muted}>
        Your YouTube address has no channel id (UC...), so we cannot find your songs in our catalogue. Add up to {WEBSITE_SONGS_MAX} links
        to your own videos.
      </p>
    )
  const songCountText =
    channelSongCount === WEBSITE_SONGS_MAX
      ? `${channelSongCount} songs or more`
      : channelSongCount === 1
        ? '1 song'
        : `${channelSongCount} songs`
  return (
    <p className={typeStyles.muted}>
      We found {songCountText} from your channel in our catalogue. {channelSongCount === 0 ? 'Add' : 'To choose others, add'} up to{' '}
      {WEBSITE_SONGS_MAX} links to your own videos.
    </p>
  )
}
