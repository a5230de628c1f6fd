import { createFileRoute, useRouter } from '@tanstack/react-router'
import { usePerson } from '../bindings/identity.ts'
import { pageHead } from '../bindings/page-title.ts'
import { VerifyEmailPage } from '../features/account/verify-email-page.tsx'
import { useToast } from '../ui/toast.tsx'

export const Route = createFileRoute('/verify-email')({
  validateSearch: ({ oobCode }): { oobCode?: string } => (typeof oobCode === 'string' ? { oobCode } : {}),
  head: ({ match }) => pageHead(match.context.services.site, 'Confirm your email'),
  component: VerifyEmail,
})

const confirmed = 'Your address is confirmed.'

function VerifyEmail() {
  const { oobCode = '' } = Route.useSearch()
  const router = useRouter()
  const person = usePerson()
  const toast = useToast()
  return (
    <VerifyEmailPage
      key={oobCode}
      code={oobCode}
      onDone={() => {
        if (!person) return router.history.replace(`/login?${new URLSearchParams({ success: confirmed })}`)
        toast({ text: confirmed, kind: 'good' })
        router.history.replace('/account')
      }}
    />
  )
}
