import { useRef, useState } from 'react'
import type { AccountInfo } from '../../../contract/account.ts'
import { pages } from '../../../contract/pages.ts'
import type { Website } from '../../../contract/website.ts'
import {
  domainNameProblem,
  findWrongWebsiteField,
  RESERVED_NAME_MESSAGE,
  SOCIAL_URL_MAX_LENGTH,
  type SocialField,
  socialFields,
  socialLabels,
  type WebsiteField,
  type WebsiteTextField,
  type WebsiteTexts,
  websiteLabels,
  websiteMaxLengths,
} from '../../../contract/website-rules.ts'
import formStyles from '../../components/account-form.module.css'
import { AccountForm } from '../../components/account-form.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { SubscriberPage } from '../../components/subscriber-gate.tsx'
import { useSite } from '../../hooks/services.tsx'
import { fieldText } from '../../primitives/field-text.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { CheckboxField, TextAreaField } from '../../ui/form-controls.tsx'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { useActivateWebsite, useSaveWebsite, useUploadBanner, useWebsite } from './use-website.ts'
import styles from './website-page.module.css'
import { WebsitePreview } from './website-preview.tsx'
import { WebsiteReach } from './website-reach.tsx'

const describeKept = ({ website }: AccountInfo) =>
  website && `Your site ${new URL(website).host} is kept, and hidden until the subscription is renewed.`

export function WebsitePage() {
  return (
    <SubscriberPage title={pages['/account/website'].heading} describeKept={describeKept}>
      {() => <LoadedWebsite />}
    </SubscriberPage>
  )
}

function LoadedWebsite() {
  const loaded = useWebsite()
  return (
    <Loaded of={loaded} offline="Your website needs a connection." failure="Your website could not be loaded.">
      {(website) => <OwnWebsite website={website} reload={loaded.reload} />}
    </Loaded>
  )
}

function OwnWebsite({ website, reload }: { website: Website | null; reload: () => void }) {
  const [isNew, setNew] = useState(false)
  if (website === null) {
    return (
      <ActivationForm
        onAnswered={(isActivated) => {
          setNew(isActivated)
          reload()
        }}
      />
    )
  }
  return (
    <>
      {isNew && <Notice kind="good">Your site has been activated!</Notice>}
      <div className={styles.address}>
        <a className={typeStyles.link} href={website.url} target="_blank" rel="noopener noreferrer">
          {new URL(website.url).host}
        </a>
        <Button to={website.url} newTab icon="external">
          Open your site
        </Button>
      </div>
      {website.enabled !== 'yes' && <Notice>Your site is hidden. Its address leads to the main site.</Notice>}
      <WebsiteForm
        website={website}
        onSaved={() => {
          setNew(false)
          reload()
        }}
        onBanner={reload}
      />
      <WebsiteReach website={website} />
    </>
  )
}

/** Shows the address that a website would have under the typed domain name. */
function AddressHint({ name }: { name: string }) {
  const { main_url } = useSite()
  return (
    <span className={formStyles.address}>
      {name === '' ? 'name' : name}.{new URL(main_url).host}
    </span>
  )
}

const DOMAIN_PROBLEMS = {
  missing: 'Please fill in this field.',
  invalid: 'Please use lower-case letters, digits and hyphens.',
  reserved: RESERVED_NAME_MESSAGE,
}

/** @param onAnswered called after each attempt, also a failed one: the website may have been activated in another tab */
function ActivationForm({ onAnswered }: { onAnswered: (isActivated: boolean) => void }) {
  const activate = useActivateWebsite()
  const input = useRef<HTMLInputElement>(null)
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  return (
    <>
      <p className={typeStyles.lead}>
        A site of your own, with your newest songs, your links and the radio. Choose its address; it can be changed later.
      </p>
      <AccountForm
        label="Activate your website"
        action={activate}
        submitLabel="Activate"
        successText="Your site has been activated!"
        onSubmit={async () => {
          const code = domainNameProblem(name)
          setProblem(code && DOMAIN_PROBLEMS[code])
          if (code) {
            input.current?.focus()
            return false
          }
          const isActivated = await activate.run(name)
          onAnswered(isActivated)
          return isActivated
        }}
      >
        <Field
          ref={input}
          label={websiteLabels.domain_name}
          name="domain_name"
          required
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={websiteMaxLengths.domain_name}
          problem={problem}
          onInput={(event) => {
            setProblem(undefined)
            setName(event.currentTarget.value.trim().toLowerCase())
          }}
        >
          <AddressHint name={name} />
        </Field>
      </AccountForm>
    </>
  )
}

const hints: Partial<Record<WebsiteField, string>> = {
  form_mail: 'Shown as a link in the section Support. Leave it empty to show none.',
  banner_url: 'A wide picture at a web address with https://. Without one, a banner is drawn.',
  youtube: 'The address of your channel. With your channel id in it, your own songs are shown first.',
}

const textFieldTypes: Partial<Record<WebsiteTextField, 'email' | 'url'>> = { form_mail: 'email', banner_url: 'url' }

/** Returns the texts of the form, without white space around them. */
function readTexts(form: HTMLFormElement): WebsiteTexts {
  const fields = new FormData(form)
  const names = [...Object.keys(websiteMaxLengths), ...socialFields] as WebsiteField[]
  // The cast is safe, because `names` are the fields of the type.
  const texts = Object.fromEntries(names.map((name) => [name, fieldText(fields, name).trim()])) as WebsiteTexts
  return { ...texts, domain_name: texts.domain_name.toLowerCase() }
}

interface WebsiteFormProps {
  website: Website
  onSaved: () => void
  onBanner: () => void
}

function WebsiteForm({ website, onSaved, onBanner }: WebsiteFormProps) {
  const save = useSaveWebsite()
  const [texts, setTexts] = useState<WebsiteTexts>(website)
  const [problem, setProblem] = useState<{ field: WebsiteField; text: string }>()
  const [bannerVersion, setBannerVersion] = useState(0)
  const fieldProps = (name: WebsiteField, maxLength: number) => ({
    name,
    label: websiteLabels[name],
    maxLength,
    defaultValue: website[name],
    problem: problem?.field === name ? problem.text : undefined,
    onInput: (event: React.InputEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      setProblem(undefined)
      if (event.currentTarget.form) setTexts(readTexts(event.currentTarget.form))
    },
  })
  const textField = (name: WebsiteTextField, isRequired = false) => (
    <Field
      {...fieldProps(name, websiteMaxLengths[name])}
      type={textFieldTypes[name] ?? 'text'}
      required={isRequired}
      autoComplete={name === 'form_mail' ? 'email' : 'off'}
    >
      {name === 'domain_name' ? (
        <>
          <AddressHint name={texts.domain_name} />. After a change, the earlier address leads to the new one for 30 days.
        </>
      ) : (
        hints[name]
      )}
    </Field>
  )
  const socialField = (name: SocialField) => (
    <Field
      key={name}
      {...fieldProps(name, SOCIAL_URL_MAX_LENGTH)}
      label={socialLabels[name]}
      type="url"
      required={name === 'youtube'}
      autoComplete="off"
      placeholder="https://"
    >
      {hints[name]}
    </Field>
  )
  return (
    <div className={styles.editor}>
      <WebsitePreview texts={texts} savedName={website.domain_name} bannerVersion={bannerVersion} />
      <div className={styles.fields}>
        <BannerUpload
          isUploaded={website.has_banner}
          onChanged={() => {
            setBannerVersion((version) => version + 1)
            onBanner()
          }}
        />
        <AccountForm
          label="Website"
          action={save}
          submitLabel="Save"
          successText="Your website has been updated!"
          onSubmit={async (form) => {
            const typedTexts = readTexts(form)
            const wrong = findWrongWebsiteField(typedTexts, website.domain_name)
            setProblem(wrong)
            if (wrong) {
              const control = form.elements.namedItem(wrong.field)
              if (control instanceof HTMLElement) control.focus()
              return false
            }
            const isSaved = await save.run({ ...typedTexts, enabled: new FormData(form).has('enabled') ? 'yes' : 'no' })
            if (isSaved) onSaved()
            return isSaved
          }}
        >
          {textField('domain_name', true)}
          {textField('name', true)}
          {textField('subtitle')}
          {textField('banner_url')}
          <TextAreaField {...fieldProps('about_me', websiteMaxLengths.about_me)} rows={6} />
          <TextAreaField {...fieldProps('social_text', websiteMaxLengths.social_text)} rows={3} />
          {textField('form_mail')}
          <SectionHeading size="small">Links</SectionHeading>
          {socialFields.map(socialField)}
          <CheckboxField name="enabled" isChecked={website.enabled === 'yes'}>
            Show my site to everyone
          </CheckboxField>
        </AccountForm>
      </div>
    </div>
  )
}

/** Uploads a picture as the banner as soon as it is chosen. */
function BannerUpload({ isUploaded, onChanged }: { isUploaded: boolean; onChanged: () => void }) {
  const upload = useUploadBanner()
  const { busy, result } = upload
  const send = async (file: File | undefined) => {
    if (await upload.run(file)) onChanged()
  }
  return (
    <div className={formStyles.form}>
      <Field
        label="Banner picture"
        name="banner"
        type="file"
        autoComplete="off"
        accept="image/png,image/jpeg,image/webp,image/avif,image/gif"
        disabled={busy}
        problem={result?.error && (result.error.kind === 'network' ? 'This needs a connection.' : result.error.message)}
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) void send(file)
        }}
      >
        {busy ? 'Uploading...' : 'It is shown at once, in place of the banner URL. 10 MB at most; 1280 x 400 pixels fit best.'}
      </Field>
      {isUploaded && (
        <Button variant="tertiary" icon="trash" busy={busy} onClick={() => void send(undefined)}>
          Remove the banner picture
        </Button>
      )}
    </div>
  )
}
