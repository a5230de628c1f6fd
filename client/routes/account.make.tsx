import { createFileRoute } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { AccountPage } from '../features/account/account-layout.tsx'
import { Key } from '../ui/key.tsx'
import { EmptyState } from '../ui/states.tsx'

const TITLE = 'Convert on the server'

export const Route = createFileRoute('/account/make')({
  head: ({ match }) => pageHead(match.context.services.site, TITLE),
  component: () => (
    <AccountPage title={TITLE}>
      {() => (
        <EmptyState
          title="Not open yet"
          text="The maker changes songs on your own device, and uploads nothing."
          action={
            <Key to="/account/maker" variant="lit">
              Open the maker
            </Key>
          }
        />
      )}
    </AccountPage>
  ),
})
