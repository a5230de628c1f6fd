import { createFileRoute, useRouter } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { useReturnTo } from '../bindings/return-to.ts'
import { useSignOut } from '../bindings/sign-out.ts'
import { SignUpPage } from '../features/account/sign-up-page.tsx'

export const Route = createFileRoute('/signup')({
  head: ({ match }) => pageHead(match.context.services.site, 'Sign up'),
  component: SignUp,
})

function SignUp() {
  const router = useRouter()
  const returnTo = useReturnTo()
  return (
    <SignUpPage
      onSignOut={useSignOut()}
      onDone={(email) => router.history.replace('/login', { signedUp: true, email, ...(returnTo !== undefined && { returnTo }) })}
    />
  )
}
