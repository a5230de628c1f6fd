import { useRef, useState } from 'react'
import type { AccountInfo } from '../../../contract/account.ts'
import { pages } from '../../../contract/pages.ts'
import type { Website } from '../../../contract/website.ts'
import { findDomainNameProblem, RESERVED_NAME_MESSAGE, websiteLabels, websiteMaxLengths } from '../../../contract/website-rules.ts'
import formStyles from '../../components/account-form.module.css'
import { AccountForm } from '../../components/account-form.tsx'
import { LoadedContent } from '../../components/loaded-content.tsx'
import { SubscriberPage } from '../../components/subscriber-gate.tsx'
import { TransientMessage } from '../../components/transient-message.tsx'
import { useSite } from '../../hooks/services.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Notice } from '../../ui/states.tsx'
import typeStyles from '../../ui/type.module.css'
import { PictureUpload } from './picture-upload.tsx'
import { useActivateWebsite, useWebsite } from './use-website.ts'
import type { WebsiteDraft } from './website-draft.ts'
import { WebsiteForm } from './website-form.tsx'
import styles from './website-page.module.css'
import { WebsitePreview } from './website-preview.tsx'
import { WebsiteQrCodeAndClicks } from './website-qr-code-and-clicks.tsx'

const describeHiddenWebsite = ({ website }: AccountInfo) =>
  website && `Your site ${new URL(website).host} is kept, but hidden until you renew your subscription.`

export function WebsitePage() {
  return (
    <SubscriberPage tool="website" title={pages['/account/website'].heading} describeContentAfterEnd={describeHiddenWebsite}>
      {({ uid }) => <LoadedWebsite uid={uid} />}
    </SubscriberPage>
  )
}

function LoadedWebsite({ uid }: { uid: string }) {
  const loadedWebsite = useWebsite()
  return (
    <LoadedContent of={loadedWebsite} offlineTitle="Your website needs a connection." failureTitle="Your website could not be loaded.">
      {(website) => <OwnWebsite website={website} uid={uid} reload={loadedWebsite.reload} />}
    </LoadedContent>
  )
}

function OwnWebsite({ website, uid, reload }: { website: Website | null; uid: string; reload: () => void }) {
  const [isNewWebsite, setIsNewWebsite] = useState(false)
  if (website === null) {
    return (
      <ActivationForm
        onAnswered={(isActivated) => {
          setIsNewWebsite(isActivated)
          reload()
        }}
      />
    )
  }
  return (
    <>
      {isNewWebsite && <TransientMessage kind="good" text="Your site has been activated!" />}
      <div className={styles.address}>
        <a className={typeStyles.link} href={website.url} target="_blank" rel="noopener noreferrer">
          {new URL(website.url).host}
        </a>
        <Button to={website.url} newTab icon="external">
          Open your site
        </Button>
      </div>
      {website.enabled !== 'yes' && <Notice>Your site is hidden. Its address leads to the main site.</Notice>}
      <WebsiteEditor
        website={website}
        uid={uid}
        onSaved={() => {
          setIsNewWebsite(false)
          reload()
        }}
        onPictureChange={reload}
      />
      <WebsiteQrCodeAndClicks website={website} />
    </>
  )
}

interface WebsiteEditorProps {
  website: Website
  uid: string
  onSaved: () => void
  onPictureChange: () => void
}

/** The form of a website, beside a preview that shows the values in the form. */
function WebsiteEditor({ website, uid, onSaved, onPictureChange }: WebsiteEditorProps) {
  const [websiteDraft, setDraft] = useState<WebsiteDraft>()
  const [pictureVersion, setPictureVersion] = useState(0)
  return (
    <div className={styles.editor}>
      {websiteDraft && <WebsitePreview draft={websiteDraft} website={website} pictureVersion={pictureVersion} />}
      <div className={styles.fields}>
        {(['portrait', 'banner'] as const).map((pictureKind) => (
          <PictureUpload
            key={pictureKind}
            kind={pictureKind}
            isUploaded={pictureKind === 'banner' ? website.has_banner : website.has_portrait}
            onChanged={() => {
              setPictureVersion((version) => version + 1)
              onPictureChange()
            }}
          />
        ))}
        <WebsiteForm
          website={website}
          uid={uid}
          renderAddressHint={(domainName) => (
            <>
              <AddressHint domainName={domainName} />. After a change, the earlier address leads to the new one for 30 days.
            </>
          )}
          onDraft={setDraft}
          onSaved={onSaved}
        />
      </div>
    </div>
  )
}

/** Shows the URL that a website would have under the typed domain name. */
function AddressHint({ domainName }: { domainName: string }) {
  const { main_url } = useSite()
  return (
    <span className={formStyles.address}>
      {domainName === '' ? 'name' : domainName}.{new URL(main_url).host}
    </span>
  )
}

const DOMAIN_PROBLEM_TEXTS = {
  missing: 'Please fill in this field.',
  invalid: 'Please use lower-case letters, digits and hyphens.',
  reserved: RESERVED_NAME_MESSAGE,
}

/**
 * @param onAnswered called after each attempt to activate the website, even a failed one, because the website may have been activated in
 * another tab
 */
function ActivationForm({ onAnswered }: { onAnswered: (isActivated: boolean) => void }) {
  const activateWebsite = useActivateWebsite()
  const input = useRef<HTMLInputElement>(null)
  const [typedName, setName] = useState('')
  const [problemText, setProblem] = useState<string>()
  return (
    <>
      <p className={typeStyles.lead}>
        A site of your own, with your newest songs, your links and the radio. Choose its address; it can be changed later.
      </p>
      <AccountForm
        label="Activate your website"
        action={activateWebsite}
        submitLabel="Activate"
        successText="Your site has been activated!"
        onSubmit={async () => {
          const problemCode = findDomainNameProblem(typedName)
          setProblem(problemCode && DOMAIN_PROBLEM_TEXTS[problemCode])
          if (problemCode) {
            input.current?.focus()
            return false
          }
          const isActivated = await activateWebsite.run(typedName)
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
          problem={problemText}
          onInput={(event) => {
            setProblem(undefined)
            setName(event.currentTarget.value.trim().toLowerCase())
          }}
        >
          <AddressHint domainName={typedName} />
        </Field>
      </AccountForm>
    </>
  )
}
