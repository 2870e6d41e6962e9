"""Whether endpoints can be asked at all, found before anything is sent."""

from __future__ import annotations

import os
from collections.abc import Mapping

from grader.errors import UsageError
from grader.model.keys import check_environment, check_url, key_for
from grader.model.line import Terms
from grader.model.provider import provider_of
from grader.model.request import Endpoint


def check_askable(terms: Mapping[Endpoint, Terms], *, limited: bool) -> None:
    """Raises UsageError or SetupError for an endpoint without a provider, a key or a sound URL.

    ``limited``: the cost is, so each needs a price.
    """
    for endpoint, of in terms.items():
        check_url(endpoint)
        provider_of(endpoint.model)
        check_environment(endpoint, os.environ, provider_of)
        key_for(endpoint, os.environ)
        if limited and of.prices.price(endpoint) is None:
            raise price_unknown(endpoint)


def price_unknown(endpoint: Endpoint) -> UsageError:
    """A limit on the cost can't be kept."""
    return UsageError(
        f"the price of {endpoint.model} isn't known, so no limit on the cost can be kept",
        do="Give its price with --price, in US dollars for a million tokens in and out.",
    )
