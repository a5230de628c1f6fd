import { createFileRoute, useRouter } from '@tanstack/react-router'
import { VerifyEmailPage } from '../features/account/verify-email-page.tsx'
import { useSignedInAccount } from '../hooks/identity.ts'
import { createHeadForPage } from '../hooks/page-title.ts'
import { useToast } from '../ui/toast.tsx'

export const Route = createFileRoute('/verify-email')({
  validateSearch: ({ oobCode }): { oobCode?: string } => (typeof oobCode === 'string' ? { oobCode } : {}),
  head: createHeadForPage,
  component: VerifyEmail,
})

const CONFIRMED_MESSAGE = 'Your address is confirmed.'

function VerifyEmail() {
  const { oobCode = '' } = Route.useSearch()
  const router = useRouter()
  const person = useSignedInAccount()
  const toast = useToast()
  return (
    <VerifyEmailPage
      key={oobCode}
      code={oobCode}
      onDone={() => {
        if (!person) return router.history.replace(`/login?${new URLSearchParams({ success: CONFIRMED_MESSAGE })}`)
        toast({ text: CONFIRMED_MESSAGE, kind: 'good' })
        router.history.replace('/account')
      }}
    />
  )
}
